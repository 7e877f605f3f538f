# Builds test_impacts without sanitizers in a folder of its own and runs a thousand impacts.
file(MAKE_DIRECTORY ${WORK})
foreach(command
    "${CMAKE_COMMAND};-S;${SOURCE};-B;${WORK};-G;Ninja;-DCMAKE_C_COMPILER=${CC};-DCMAKE_BUILD_TYPE=RelWithDebInfo"
    "${CMAKE_COMMAND};--build;${WORK};--target;test_impacts"
    "${CMAKE_COMMAND};-E;env;OPENBLAS_NUM_THREADS=1;OMP_NUM_THREADS=1;${WORK}/tests/test_impacts;1000;100")
  execute_process(COMMAND ${command} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${output}")
  endif()
endforeach()
message("${output}") # with how many iterations steps took
