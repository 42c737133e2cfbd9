demo: deps-demo all ## the main job: four nodes, three programs, the live view, the log
	@BUILD=$(B) scripts/demo.sh
.PHONY: demo
