# Long runs, and the pages that tell of them.

proof: deps-check all bench-programs $(SIM_PROGRAM) ## run every campaign at full length, write docs/proof.md (hours)
	@BUILD=$(B) scripts/page.sh proof
figures: deps-bench all bench-programs ## measure everything at full size, write docs/figures.md (half an hour, 6 GB)
	@BUILD=$(B) scripts/page.sh figures
.PHONY: proof figures
