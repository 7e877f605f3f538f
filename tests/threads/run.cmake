# Builds test_threads with ThreadSanitizer in a folder of its own and runs it: a race in the library stops it.
foreach(command
    "${CMAKE_COMMAND};-S;${SOURCE};-B;${WORK};-G;Ninja;-DCMAKE_C_COMPILER=${CC};-DCMAKE_BUILD_TYPE=RelWithDebInfo;-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g1;-DZENO_SANITIZE=thread"
    "${CMAKE_COMMAND};--build;${WORK};--target;test_threads"
    "${CMAKE_COMMAND};-E;env;TSAN_OPTIONS=halt_on_error=1;OPENBLAS_NUM_THREADS=1;OMP_NUM_THREADS=1;${WORK}/tests/test_threads")
  execute_process(COMMAND ${command} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${output}")
  endif()
endforeach()
