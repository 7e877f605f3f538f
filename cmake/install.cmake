# What `cmake --install` puts into the prefix beside the program and the gallery (cli/CMakeLists.txt): headers, library,
# manual pages, completion, and how others find them: find_package(zeno) and pkg-config zeno. Both work wherever the prefix is moved
# to.
include(CMakePackageConfigHelpers)

set(ZENO_CMAKEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/zeno)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/zn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
install(FILES ${PROJECT_SOURCE_DIR}/completion/zeno.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME zeno)
install(FILES ${PROJECT_SOURCE_DIR}/completion/_zeno DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(TARGETS zeno EXPORT zenoTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT zenoTargets NAMESPACE zeno:: DESTINATION ${ZENO_CMAKEDIR})

# The shared library and the Python package on it, where Debian's Python looks below /usr/local; below /usr that is
# lib/python3/dist-packages (-DZENO_PYTHON_DIR=...). The package knows the way from itself to the library.
install(TARGETS zeno_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(ZENO_PYTHON)
  execute_process(COMMAND ${ZENO_PYTHON} -c "import sys; print('%d.%d' % sys.version_info[:2])"
    OUTPUT_VARIABLE python_version OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(ZENO_PYTHON_DIR lib/python${python_version}/dist-packages CACHE STRING "where the Python package goes, below the prefix")
  file(RELATIVE_PATH library /p/${ZENO_PYTHON_DIR}/zeno /p/${CMAKE_INSTALL_LIBDIR}/libzeno.so.0)
  file(WRITE ${PROJECT_BINARY_DIR}/python/_where.py "LIBRARY = \"${library}\"\n")
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/zeno DESTINATION ${ZENO_PYTHON_DIR} FILES_MATCHING PATTERN "*.py"
    PATTERN __pycache__ EXCLUDE)
  install(FILES ${PROJECT_BINARY_DIR}/python/_where.py DESTINATION ${ZENO_PYTHON_DIR}/zeno)
endif()

# A static library leaves its own dependencies to whoever links it.
set(modules HDF5 hdf5-serial YAML yaml-0.1 EXPAT expat) # as the top CMakeLists.txt finds them
set(ZENO_FIND_MODULES "")
set(ZENO_PRIVATE_LIBS "-lklu")
get_target_property(zeno_links zeno LINK_LIBRARIES)
foreach(link ${zeno_links})
  if(link MATCHES "^PkgConfig::(.+)$")
    set(name ${CMAKE_MATCH_1})
    list(FIND modules ${name} place)
    if(place EQUAL -1)
      message(FATAL_ERROR "cmake/install.cmake: which pkg-config module is ${link}?")
    endif()
    math(EXPR place "${place} + 1")
    list(GET modules ${place} module)
    string(APPEND ZENO_FIND_MODULES "find_module(${name} ${module})\n")
    list(JOIN ${name}_LDFLAGS " " flags)
    string(APPEND ZENO_PRIVATE_LIBS " ${flags}")
  endif()
endforeach()
string(APPEND ZENO_PRIVATE_LIBS " -ldl -lm")

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/zenoConfig.cmake.in ${PROJECT_BINARY_DIR}/zenoConfig.cmake
  INSTALL_DESTINATION ${ZENO_CMAKEDIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/zenoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/zenoConfig.cmake ${PROJECT_BINARY_DIR}/zenoConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindKLU.cmake DESTINATION ${ZENO_CMAKEDIR})

# pkg-config: the prefix follows from the place of the file itself.
file(RELATIVE_PATH ZENO_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/zeno.pc.in ${PROJECT_BINARY_DIR}/zeno.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/zeno.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
