/// "Did you mean": the known word nearest to a mistyped one.
#ifndef ZENO_SUGGEST_H
#define ZENO_SUGGEST_H

/// NULL when none is near enough.
const char *suggest(const char *word, int count, const char *const *known);

#endif
