# cmake -DROOT=... -P check_files.cmake: files are read and written by those who do it with care.
# - Values of HDF5 files through src/io/hdf5_read.c, which looks at their number and type before it touches memory, and
#   follows no link out of the file.
# - New files through src/io/new_file.c, which follows no link either and keeps what was there until they are whole.
file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/src/*.[ch] ${ROOT}/cli/*.[ch] ${ROOT}/gallery/*.[ch] ${ROOT}/include/*.h)
list(LENGTH sources count)
if(count LESS 100)
  message(FATAL_ERROR "only ${count} sources found in ${ROOT}")
endif()

# only(WORDS WHERE MOST): a line that matches WORDS stands in files WHERE alone, and there are MOST such lines at least
function(only words where least)
  set(found 0)
  foreach(source ${sources})
    file(STRINGS ${ROOT}/${source} lines REGEX "${words}")
    list(LENGTH lines here)
    if(source MATCHES "${where}")
      math(EXPR found "${found} + ${here}")
    elseif(here GREATER 0)
      list(GET lines 0 line)
      string(STRIP "${line}" line)
      message(SEND_ERROR "${source}: '${line}' is the business of ${where}")
    endif()
  endforeach()
  if(found LESS least)
    message(SEND_ERROR "'${words}' is found ${found} times in ${where}: this test looks for the wrong words")
  endif()
endfunction()

only("H5[AD]read[a-z_]* *\\(" "^src/io/hdf5_read\\.c$" 3)
only("H5[DG]open[12]? *\\(" "^src/io/(hdf5_read|result_head)\\.c$" 3) # a writer opens what it has just written
only("H5F(open|create) *\\(" "^src/io/(hdf5_read|result_driver)\\.c$" 3)
only("fopen *\\([^)]*\"[wa]" "^src/io/new_file\\.c$" 1)
only("O_CREAT|mkstemp|[^_]creat *\\(" "^src/io/new_file\\.c$" 1)
only("[^_a-z]rename *\\(" "^src/io/(new_file|result_writer)\\.c$" 2)
