# Install the build tree into an empty prefix, then use it from outside: the examples are configured, built and run once
# through find_package and once through pkg-config, after the prefix was moved.
#   cmake -DBUILD=... -DSOURCE=... -DWORK=... -DCC=... -DPKG_CONFIG=... -DLIBDIR=... -DFLAGS=... -DPYTHON=... -DPRELOAD=... -P install.cmake
function(run)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "EXPECT;OUTPUT" "")
  execute_process(COMMAND ${arg_UNPARSED_ARGUMENTS} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN arg_UNPARSED_ARGUMENTS " " command)
    message(FATAL_ERROR "'${command}' returned ${result}:\n${output}")
  endif()
  if(arg_EXPECT AND NOT output MATCHES "${arg_EXPECT}")
    message(FATAL_ERROR "'${arg_UNPARSED_ARGUMENTS}' lacks '${arg_EXPECT}':\n${output}")
  endif()
  if(arg_OUTPUT)
    string(STRIP "${output}" output)
    set(${arg_OUTPUT} "${output}" PARENT_SCOPE)
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
file(RENAME ${WORK}/first ${WORK}/prefix) # nothing may remember where it was installed
set(prefix ${WORK}/prefix)

foreach(file include/zn/zn.h include/zn/base.h include/zn/friction.h ${LIBDIR}/libzn.a ${LIBDIR}/pkgconfig/zeno.pc bin/zeno ${LIBDIR}/libzeno.so.0
    ${LIBDIR}/cmake/zeno/zenoConfig.cmake ${LIBDIR}/cmake/zeno/zenoConfigVersion.cmake
    ${LIBDIR}/cmake/zeno/zenoTargets.cmake ${LIBDIR}/cmake/zeno/FindKLU.cmake
    share/zeno/gallery/rocking-block/model.yaml share/bash-completion/completions/zeno share/zsh/site-functions/_zeno)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "${file} was not installed")
  endif()
endforeach()
file(GLOB_RECURSE texts ${prefix}/${LIBDIR}/cmake/*.cmake ${prefix}/${LIBDIR}/pkgconfig/*.pc)
foreach(text ${texts})
  file(READ ${text} content)
  string(FIND "${content}" "${SOURCE}/" place)
  string(FIND "${content}" "${WORK}/" moved)
  if(NOT place EQUAL -1 OR NOT moved EQUAL -1)
    message(FATAL_ERROR "${text} refers to the source or the first prefix")
  endif()
endforeach()

# the program
run(${prefix}/bin/zeno --version EXPECT "[0-9]+\\.[0-9]+\\.[0-9]+")

# the Python package, which finds the library beside it; sanitizers want their runtime loaded first
file(GLOB package ${prefix}/lib/python3*/dist-packages)
if(PYTHON AND package)
  execute_process(COMMAND ${PYTHON} -c "import numpy" RESULT_VARIABLE no_numpy OUTPUT_QUIET ERROR_QUIET)
  if(no_numpy)
    message(STATUS "python3-numpy is not installed: the Python package is not tried")
  else()
    run(${CMAKE_COMMAND} -E env PYTHONPATH=${package} PYTHONDONTWRITEBYTECODE=1 LD_PRELOAD=${PRELOAD}
      ASAN_OPTIONS=detect_leaks=0 ${PYTHON} -c "import zeno; print(zeno.__version__, zeno.schemes()['nsga'], zeno.__file__)"
      EXPECT "[0-9]+\\.[0-9]+\\.[0-9]+ .*dist-packages/zeno")
  endif()
elseif(PYTHON)
  message(FATAL_ERROR "the Python package was not installed")
endif()

# find_package, in a project that knows nothing of the source tree
file(COPY ${SOURCE}/examples DESTINATION ${WORK})
run(${CMAKE_COMMAND} -S ${WORK}/examples -B ${WORK}/outside -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${CC}
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=${FLAGS})
run(${CMAKE_COMMAND} --build ${WORK}/outside)
run(${WORK}/outside/friction EXPECT "slides on with 0.500000 m/s")
run(${WORK}/outside/rocking_block EXPECT "penetration [0-9.e-]+ m" OUTPUT first)

# pkg-config
set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
run(${PKG_CONFIG} --static --cflags --libs zeno OUTPUT flags)
separate_arguments(flags UNIX_COMMAND "${FLAGS} ${WORK}/examples/rocking_block.c ${flags}")
run(${CC} -std=c17 -O2 -o ${WORK}/by_pkg_config ${flags})
run(${WORK}/by_pkg_config EXPECT "penetration [0-9.e-]+ m" OUTPUT second)
if(NOT first STREQUAL second)
  message(FATAL_ERROR "the two programs differ:\n${first}\n${second}")
endif()
message(STATUS "${second}")
