# Builds the libFuzzer targets with clang in a folder of its own and lets each run for SECONDS.
find_program(clang clang REQUIRED)
foreach(command
    "${CMAKE_COMMAND};-S;${SOURCE};-B;${WORK};-G;Ninja;-DCMAKE_C_COMPILER=${clang};-DCMAKE_BUILD_TYPE=RelWithDebInfo;-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g1;-DZENO_TESTS=OFF;-DZENO_FUZZ=ON;-DZENO_SANITIZE=address,undefined,fuzzer-no-link"
    "${CMAKE_COMMAND};--build;${WORK};--target;fuzz_model;fuzz_msh")
  execute_process(COMMAND ${command} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${output}")
  endif()
endforeach()
# fuzz(target dict folder): the corpus is in tests/fuzz/<folder>
function(fuzz target dict folder)
  file(MAKE_DIRECTORY ${WORK}/${folder})
  execute_process(COMMAND ${WORK}/tests/fuzz/${target} -max_total_time=${SECONDS} -max_len=4096 -timeout=10
      -print_final_stats=1 -dict=${SOURCE}/tests/fuzz/${dict} ${WORK}/${folder} ${SOURCE}/tests/fuzz/${folder}
    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed ERROR_VARIABLE output)
  string(REGEX MATCH "number_of_executed_units: [0-9]+" executed "${output}")
  message(STATUS "${target}: ${executed}")
  if(failed OR NOT executed)
    message(FATAL_ERROR "${output}")
  endif()
endfunction()
fuzz(fuzz_model model.dict corpus)
fuzz(fuzz_msh msh.dict corpus_msh)
