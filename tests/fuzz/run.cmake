# Builds the libFuzzer target with clang in a folder of its own and lets it run for SECONDS.
find_program(clang clang REQUIRED)
foreach(command
    "${CMAKE_COMMAND};-S;${SOURCE};-B;${WORK};-G;Ninja;-DCMAKE_C_COMPILER=${clang};-DCMAKE_BUILD_TYPE=RelWithDebInfo;-DZENO_TESTS=OFF;-DZENO_FUZZ=ON;-DZENO_SANITIZE=address,undefined,fuzzer-no-link"
    "${CMAKE_COMMAND};--build;${WORK};--target;fuzz_model")
  execute_process(COMMAND ${command} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${output}")
  endif()
endforeach()
file(MAKE_DIRECTORY ${WORK}/corpus)
execute_process(COMMAND ${WORK}/tests/fuzz/fuzz_model -max_total_time=${SECONDS} -max_len=4096 -timeout=10
    -print_final_stats=1 -dict=${SOURCE}/tests/fuzz/model.dict ${WORK}/corpus ${SOURCE}/tests/fuzz/corpus
  WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed ERROR_VARIABLE output)
string(REGEX MATCH "number_of_executed_units: [0-9]+" executed "${output}")
message(STATUS "${executed}")
if(failed OR NOT executed)
  message(FATAL_ERROR "${output}")
endif()
