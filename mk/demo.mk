demo: deps-demo demo-build ## the main job: four nodes, three programs, the live view, the log
	@BUILD=$(B) scripts/demo.sh
demo-build: deps-demo
	@echo "demo: building (a minute or two the first time)"
	@$(MAKE) -s -j$(shell nproc) all
.PHONY: demo demo-build
