// zeno reference: the manual of the model file, or those of its sections that have a word in their title.
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "suggest.h"
#include "terminal.h"
#include "zn/io.h"

enum { WORDS_MAX = 256, WORD_LENGTH = 32 };

static const char separators[] = " :,#\n";

// A section is what stands from one "\n## " to the next.
static const char *next_section(const char *text)
{
    const char *mark = strstr(text, "\n## ");
    return mark != NULL ? mark + 1 : NULL;
}

static size_t section_length(const char *section)
{
    const char *next = next_section(section);
    return next != NULL ? (size_t)(next - section) : strlen(section);
}

// The next word of a title, and where it goes on; NULL: there is none left.
static const char *next_title_word(const char *at, size_t *length)
{
    at += strspn(at, " :,#");
    *length = strcspn(at, separators);
    return *length > 0 ? at : NULL;
}

static bool has_in_title(const char *section, const char *word)
{
    size_t length;
    for (const char *w = next_title_word(section, &length); w != NULL; w = next_title_word(w + length, &length))
        if (strlen(word) == length && strncmp(w, word, length) == 0)
            return true;
    return false;
}

static bool print_sections(const char *text, const char *word)
{
    bool found = false;
    for (const char *s = next_section(text); s != NULL; s = next_section(s))
        if (has_in_title(s, word)) {
            fwrite(s, 1, section_length(s), stdout);
            found = true;
        }
    return found;
}

static void complain(const char *text, const char *word)
{
    char        words[WORDS_MAX][WORD_LENGTH];
    const char *known[WORDS_MAX];
    int         count = 0;
    for (const char *s = next_section(text); s != NULL; s = next_section(s)) {
        size_t length;
        for (const char *w = next_title_word(s, &length); w != NULL && count < WORDS_MAX;
             w = next_title_word(w + length, &length)) {
            snprintf(words[count], WORD_LENGTH, "%.*s", (int)length, w);
            known[count] = words[count];
            count++;
        }
    }
    const char *near = suggest(word, count, known);
    if (near != NULL)
        print_error("there is no section '%s'; did you mean '%s'?", word, near);
    else
        print_error("there is no section '%s' (zeno reference | grep '^##')", word);
}

static int reference(int argc, char **argv)
{
    char *text = zn_problem_reference();
    if (text == NULL) {
        print_error("out of memory");
        return EXIT_INPUT;
    }
    int status = EXIT_FINE;
    if (argc < 2)
        fputs(text, stdout);
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-' || !print_sections(text, argv[i])) {
            if (argv[i][0] == '-')
                print_error("unknown option '%s' (zeno help reference)", argv[i]);
            else
                complain(text, argv[i]);
            status = EXIT_INPUT;
            break;
        }
    free(text);
    return finish_output(stdout) ? status : EXIT_INPUT;
}

const command reference_command = {
    .name = "reference",
    .summary = "print the reference manual of the model file",
    .help = "usage: zeno reference [SECTION...]\n"
            "\n"
            "Prints every key of the model file with its unit, default and meaning (Markdown), or the sections\n"
            "that have the given words in their title.\n"
            "\n"
            "examples:\n"
            "  zeno reference | less\n"
            "  zeno reference bodies\n"
            "  zeno reference quantities\n",
    .run = reference,
};
