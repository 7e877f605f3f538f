#ifndef ZN_BASE_MEMORY_H
#define ZN_BASE_MEMORY_H

/// Bytes of the machine, or what this process may have of them (ulimit -v): whoever wants more is refused before it
/// begins, as pages that were promised and are not there end the program without a word.
double zn_memory_there(void);

#endif
