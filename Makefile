.PHONY: check
check:
	cmake -S . -B build -G Ninja -DTHUD_WERROR=ON
	ninja -C build
	ctest --test-dir build --output-on-failure
