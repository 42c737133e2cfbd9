# The long run, and the page that tells of it.

proof: deps-check all bench-programs $(SIM_PROGRAM) ## run every campaign at full length, write docs/proof.md (hours)
	@BUILD=$(B) scripts/proof.sh
.PHONY: proof
