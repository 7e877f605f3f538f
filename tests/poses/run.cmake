# Builds PROGRAM without sanitizers in a folder of its own and runs it with ARGUMENTS, a list.
file(MAKE_DIRECTORY ${WORK})
foreach(command
    "${CMAKE_COMMAND};-S;${SOURCE};-B;${WORK};-G;Ninja;-DCMAKE_C_COMPILER=${CC};-DCMAKE_BUILD_TYPE=RelWithDebInfo"
    "${CMAKE_COMMAND};--build;${WORK};--target;${PROGRAM}"
    "${WORK}/tests/${PROGRAM};${ARGUMENTS}")
  execute_process(COMMAND ${command} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${output}")
  endif()
endforeach()
message("${output}") # a row of the table
