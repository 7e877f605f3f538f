// Reader of Gmsh's .msh files: one record per line, every count checked, sections that do not matter skipped.
//     $MeshFormat $PhysicalNames $Entities $Nodes $Elements, each up to its $End
// Gmsh reference manual, "MSH file format" (4.1) and "MSH file format version 2".
#include "io/msh.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/expression.h"

enum { NODES_MAX = 10000000, TAGS_MAX = 1000, WORD = 64 };

typedef struct parser {
    const char *name;       // of the file
    const char *next, *end; // rest of the text
    const char *at, *stop;  // rest of the current line
    int         line;
    int         version; // 2 or 4; 0 before $MeshFormat
    bool        has_nodes, has_elements, has_names, has_entities;
    zn_msh     *msh;
    char       *message;
    size_t      size;
} parser;

static zn_status bad(const parser *p, const char *format, ...) ZN_PRINTF(2, 3);

static zn_status bad(const parser *p, const char *format, ...)
{
    int n = snprintf(p->message, p->size, "%s:%d: ", p->name, p->line);
    if (n >= 0 && (size_t)n < p->size) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(p->message + n, p->size - (size_t)n, format, arguments);
        va_end(arguments);
    }
    return ZN_ERR_MODEL;
}

// --- lines and words -----------------------------------------------------------------------------

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The next line that is not empty; false at the end of the text.
static bool next_line(parser *p)
{
    while (p->next < p->end) {
        const char *stop = memchr(p->next, '\n', (size_t)(p->end - p->next));
        p->at = p->next;
        p->stop = stop ? stop : p->end;
        p->next = stop ? stop + 1 : p->end;
        p->line++;
        while (p->stop > p->at && is_blank(p->stop[-1]))
            p->stop--;
        while (p->at < p->stop && is_blank(*p->at))
            p->at++;
        if (p->at < p->stop)
            return true;
    }
    return false;
}

static zn_status need_line(parser *p, const char *section)
{
    return next_line(p) ? ZN_OK : bad(p, "the file ends inside %s", section);
}

// The next word of the line, "" at its end; words that are too long are cut.
static void next_word(parser *p, char word[WORD])
{
    const char *begin = p->at;
    while (p->at < p->stop && !is_blank(*p->at))
        p->at++;
    size_t n = (size_t)(p->at - begin) < WORD ? (size_t)(p->at - begin) : WORD - 1;
    memcpy(word, begin, n);
    word[n] = '\0';
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)word[i] < 32 || word[i] == 127)
            word[i] = '?';
    while (p->at < p->stop && is_blank(*p->at))
        p->at++;
}

static zn_status next_integer(parser *p, const char *what, int min, int *out)
{
    char    word[WORD];
    int64_t value = 0;
    next_word(p, word);
    const char *s = word + (word[0] == '-');
    size_t      digits = strspn(s, "0123456789");
    if (digits == 0 || s[digits] != '\0')
        return bad(p, "%s: expected a whole number, found '%s'", what, word);
    for (size_t i = 0; i < digits && value <= INT_MAX; i++)
        value = 10 * value + (s[i] - '0');
    value = word[0] == '-' ? -value : value;
    if (value < min || value > INT_MAX)
        return bad(p, "%s %s is out of range", what, word);
    *out = (int)value;
    return ZN_OK;
}

static zn_status next_number(parser *p, const char *what, double *out)
{
    char word[WORD];
    next_word(p, word);
    return zn_number_parse(word, out) ? ZN_OK : bad(p, "%s: expected a number, found '%s'", what, word);
}

static zn_status next_point(parser *p, zn_vec3 *out)
{
    ZN_TRY(next_number(p, "coordinate", &out->x));
    ZN_TRY(next_number(p, "coordinate", &out->y));
    return next_number(p, "coordinate", &out->z);
}

static zn_status line_done(const parser *p)
{
    return p->at == p->stop ? ZN_OK : bad(p, "more on the line than expected");
}

// A line with one integer.
static zn_status count_line(parser *p, const char *section, const char *what, int *out)
{
    ZN_TRY(need_line(p, section));
    ZN_TRY(next_integer(p, what, 0, out));
    return line_done(p);
}

static bool is_line(const parser *p, const char *text)
{
    size_t n = strlen(text);
    return (size_t)(p->stop - p->at) == n && memcmp(p->at, text, n) == 0;
}

static zn_status end_section(parser *p, const char *end)
{
    ZN_TRY(need_line(p, end + 4)); // without "$End"
    return is_line(p, end) ? ZN_OK : bad(p, "expected %s", end);
}

// --- sections of both versions -------------------------------------------------------------------

static zn_status read_format(parser *p)
{
    char version[WORD];
    int  type, size;
    ZN_TRY(need_line(p, "MeshFormat"));
    next_word(p, version);
    ZN_TRY(next_integer(p, "file type", 0, &type));
    ZN_TRY(next_integer(p, "data size", 0, &size));
    if (type != 0)
        return bad(p, "a binary file; save it as ASCII (Mesh.Binary = 0)");
    if (strcmp(version, "2.2") != 0 && strcmp(version, "4.1") != 0)
        return bad(p, "version %s is not supported; save it as 2.2 or 4.1 (Mesh.MshFileVersion)", version);
    p->version = version[0] - '0';
    p->msh->entities_own = p->version == 4;
    return end_section(p, "$EndMeshFormat");
}

static zn_status read_name(parser *p)
{
    zn_msh_group group = {0};
    ZN_TRY(need_line(p, "PhysicalNames"));
    ZN_TRY(next_integer(p, "dimension", 0, &group.dim));
    ZN_TRY(next_integer(p, "physical tag", 1, &group.tag));
    size_t length = (size_t)(p->stop - p->at);
    if (group.dim > 3 || length < 2 || p->at[0] != '"' || p->stop[-1] != '"')
        return bad(p, "expected a dimension from 0 to 3, a tag and a name in quotes");
    if (length - 2 > ZN_MSH_NAME || length == 2)
        return bad(p, "a name must have 1 to %d characters", ZN_MSH_NAME);
    memcpy(group.name, p->at + 1, length - 2);
    for (int i = 0; i < p->msh->group_count; i++) {
        const zn_msh_group *other = &p->msh->group[i];
        if (strcmp(other->name, group.name) == 0 || (other->dim == group.dim && other->tag == group.tag))
            return bad(p, "the name or tag of this group is used twice");
    }
    return ZN_PUSH(p->msh->group, p->msh->group_count, p->msh->group_capacity, group);
}

static zn_status read_names(parser *p)
{
    int count;
    ZN_TRY(count_line(p, "PhysicalNames", "number of names", &count));
    if (count > TAGS_MAX)
        return bad(p, "more than %d physical groups", TAGS_MAX);
    for (int i = 0; i < count; i++)
        ZN_TRY(read_name(p));
    return end_section(p, "$EndPhysicalNames");
}

static zn_status add_node(parser *p, int tag, zn_vec3 at)
{
    if (p->msh->node_count >= NODES_MAX)
        return bad(p, "more than %d nodes", NODES_MAX);
    return ZN_PUSH(p->msh->node, p->msh->node_count, p->msh->node_capacity, ((zn_msh_node){tag, at}));
}

// --- element types -------------------------------------------------------------------------------

enum { TYPES = 20 };

int zn_msh_type_nodes(int type)
{
    static const int nodes[TYPES] = {[1] = 2, [2] = 3, [3] = 4, [4] = 4, [5] = 8, [15] = 1};
    return type > 0 && type < TYPES ? nodes[type] : 0;
}

static int dimension_of(int type)
{
    static const int dim[TYPES] = {-1, 1, 2, 2, 3, 3, 3, 3, 1, 2, 2, 3, 3, 3, 3, 0, 2, 3, 3, 3};
    return type > 0 && type < TYPES ? dim[type] : -1;
}

// The rest of the line: nodes of an element of known type; of others it is not looked at.
static zn_status add_element(parser *p, int type, int owner)
{
    zn_msh_element e = {.type = type, .line = p->line, .dim = dimension_of(type), .owner = owner};
    for (int i = 0; i < zn_msh_type_nodes(type); i++)
        ZN_TRY(next_integer(p, "node", 1, &e.node[i]));
    if (zn_msh_type_nodes(type) > 0)
        ZN_TRY(line_done(p));
    return ZN_PUSH(p->msh->element, p->msh->element_count, p->msh->element_capacity, e);
}

// --- version 2 -----------------------------------------------------------------------------------

static zn_status read_nodes_2(parser *p)
{
    int count;
    ZN_TRY(count_line(p, "Nodes", "number of nodes", &count));
    for (int i = 0; i < count; i++) {
        int     tag;
        zn_vec3 at;
        ZN_TRY(need_line(p, "Nodes"));
        ZN_TRY(next_integer(p, "node", 1, &tag));
        ZN_TRY(next_point(p, &at));
        ZN_TRY(line_done(p));
        ZN_TRY(add_node(p, tag, at));
    }
    return end_section(p, "$EndNodes");
}

static zn_status read_elements_2(parser *p)
{
    int count;
    ZN_TRY(count_line(p, "Elements", "number of elements", &count));
    for (int i = 0; i < count; i++) {
        int tag, type, tags, physical = 0, other;
        ZN_TRY(need_line(p, "Elements"));
        ZN_TRY(next_integer(p, "element", 1, &tag));
        ZN_TRY(next_integer(p, "element type", 1, &type));
        ZN_TRY(next_integer(p, "number of tags", 0, &tags));
        if (tags > TAGS_MAX)
            return bad(p, "more than %d tags", TAGS_MAX);
        for (int k = 0; k < tags; k++)
            ZN_TRY(next_integer(p, "tag", -INT_MAX, k == 0 ? &physical : &other));
        ZN_TRY(add_element(p, type, abs(physical)));
    }
    return end_section(p, "$EndElements");
}

// --- version 4 -----------------------------------------------------------------------------------

// tag, a point (dimension 0) or two corners, physical tags, what bounds it
static zn_status read_entity(parser *p, int dim)
{
    zn_msh_entity entity = {.dim = dim, .first = p->msh->physical_count};
    zn_vec3       at;
    ZN_TRY(need_line(p, "Entities"));
    ZN_TRY(next_integer(p, "entity", INT_MIN, &entity.tag));
    for (int i = 0; i < (dim == 0 ? 1 : 2); i++)
        ZN_TRY(next_point(p, &at));
    ZN_TRY(next_integer(p, "number of physical tags", 0, &entity.count));
    if (entity.count > TAGS_MAX)
        return bad(p, "more than %d physical tags", TAGS_MAX);
    for (int i = 0; i < entity.count; i++) {
        int tag;
        ZN_TRY(next_integer(p, "physical tag", -INT_MAX, &tag));
        ZN_TRY(ZN_PUSH(p->msh->physical, p->msh->physical_count, p->msh->physical_capacity,
                       abs(tag))); // sign: orientation
    }
    if (dim > 0) { // the list of what bounds it is not needed
        int bounds;
        ZN_TRY(next_integer(p, "number of bounding entities", 0, &bounds));
    } else
        ZN_TRY(line_done(p));
    return ZN_PUSH(p->msh->entity, p->msh->entity_count, p->msh->entity_capacity, entity);
}

static int by_dimension_and_tag(const void *a, const void *b)
{
    const zn_msh_entity *x = a, *y = b;
    if (x->dim != y->dim)
        return x->dim < y->dim ? -1 : 1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

static zn_status read_entities(parser *p)
{
    int count[4];
    ZN_TRY(need_line(p, "Entities"));
    for (int dim = 0; dim < 4; dim++)
        ZN_TRY(next_integer(p, "number of entities", 0, &count[dim]));
    ZN_TRY(line_done(p));
    for (int dim = 0; dim < 4; dim++)
        for (int i = 0; i < count[dim]; i++)
            ZN_TRY(read_entity(p, dim));
    zn_msh *m = p->msh;
    if (m->entity_count > 0)
        qsort(m->entity, (size_t)m->entity_count, sizeof *m->entity, by_dimension_and_tag);
    for (int i = 1; i < m->entity_count; i++)
        if (by_dimension_and_tag(&m->entity[i - 1], &m->entity[i]) == 0)
            return bad(p, "entity %d of dimension %d occurs twice", m->entity[i].tag, m->entity[i].dim);
    return end_section(p, "$EndEntities");
}

// blocks, records, smallest and largest tag
static zn_status read_block_counts(parser *p, const char *section, int *blocks, int *records)
{
    int least, most;
    ZN_TRY(need_line(p, section));
    ZN_TRY(next_integer(p, "number of blocks", 0, blocks));
    ZN_TRY(next_integer(p, "number of records", 0, records));
    ZN_TRY(next_integer(p, "smallest tag", 0, &least));
    ZN_TRY(next_integer(p, "largest tag", 0, &most));
    return line_done(p);
}

// All tags of a block come first, then all coordinates.
static zn_status read_node_block(parser *p, int *done, int total)
{
    int dim, entity, parametric, count, first = p->msh->node_count;
    ZN_TRY(need_line(p, "Nodes"));
    ZN_TRY(next_integer(p, "dimension", 0, &dim));
    ZN_TRY(next_integer(p, "entity", INT_MIN, &entity));
    ZN_TRY(next_integer(p, "parametric", 0, &parametric));
    ZN_TRY(next_integer(p, "number of nodes", 0, &count));
    ZN_TRY(line_done(p));
    if (dim > 3 || parametric > 1)
        return bad(p, "expected a dimension from 0 to 3 and parametric 0 or 1");
    if (count > total - *done)
        return bad(p, "more nodes than the %d announced", total);
    *done += count;
    for (int i = 0; i < count; i++) {
        int tag;
        ZN_TRY(need_line(p, "Nodes"));
        ZN_TRY(next_integer(p, "node", 1, &tag));
        ZN_TRY(line_done(p));
        ZN_TRY(add_node(p, tag, (zn_vec3){0, 0, 0}));
    }
    for (int i = 0; i < count; i++) {
        double parameter;
        ZN_TRY(need_line(p, "Nodes"));
        ZN_TRY(next_point(p, &p->msh->node[first + i].at));
        for (int k = 0; k < (parametric ? dim : 0); k++)
            ZN_TRY(next_number(p, "parameter", &parameter));
        ZN_TRY(line_done(p));
    }
    return ZN_OK;
}

static zn_status read_nodes_4(parser *p)
{
    int blocks, total, done = 0;
    ZN_TRY(read_block_counts(p, "Nodes", &blocks, &total));
    for (int i = 0; i < blocks; i++)
        ZN_TRY(read_node_block(p, &done, total));
    if (done != total)
        return bad(p, "%d nodes, but %d were announced", done, total);
    return end_section(p, "$EndNodes");
}

static int find_entity(const zn_msh *m, int dim, int tag)
{
    zn_msh_entity        key = {.dim = dim, .tag = tag};
    const zn_msh_entity *found =
        m->entity_count > 0 ? bsearch(&key, m->entity, (size_t)m->entity_count, sizeof key, by_dimension_and_tag)
                            : NULL;
    return found ? (int)(found - m->entity) : -1;
}

static zn_status read_element_block(parser *p, int *done, int total)
{
    int dim, entity, type, count, tag;
    ZN_TRY(need_line(p, "Elements"));
    ZN_TRY(next_integer(p, "dimension", 0, &dim));
    ZN_TRY(next_integer(p, "entity", INT_MIN, &entity));
    ZN_TRY(next_integer(p, "element type", 1, &type));
    ZN_TRY(next_integer(p, "number of elements", 0, &count));
    ZN_TRY(line_done(p));
    if (count > total - *done)
        return bad(p, "more elements than the %d announced", total);
    if (dimension_of(type) >= 0 && dimension_of(type) != dim)
        return bad(p, "elements of type %d on an entity of dimension %d", type, dim);
    *done += count;
    int owner = find_entity(p->msh, dim, entity);
    if (owner < 0 && p->has_entities)
        return bad(p, "there is no entity %d of dimension %d", entity, dim);
    for (int i = 0; i < count; i++) {
        ZN_TRY(need_line(p, "Elements"));
        ZN_TRY(next_integer(p, "element", 1, &tag));
        ZN_TRY(add_element(p, type, owner));
        p->msh->element[p->msh->element_count - 1].dim = dim;
    }
    return ZN_OK;
}

static zn_status read_elements_4(parser *p)
{
    int blocks, total, done = 0;
    ZN_TRY(read_block_counts(p, "Elements", &blocks, &total));
    for (int i = 0; i < blocks; i++)
        ZN_TRY(read_element_block(p, &done, total));
    if (done != total)
        return bad(p, "%d elements, but %d were announced", done, total);
    return end_section(p, "$EndElements");
}

// --- the file ------------------------------------------------------------------------------------

static zn_status skip_section(parser *p, const char *section)
{
    char end[WORD + 8];
    int  line = p->line;
    snprintf(end, sizeof end, "$End%s", section + 1);
    while (next_line(p))
        if (is_line(p, end))
            return ZN_OK;
    p->line = line;
    return bad(p, "section %s has no end", section);
}

// Called once for each section that matters.
static zn_status only_once(const parser *p, bool *seen, const char *section)
{
    if (p->version == 0)
        return bad(p, "$MeshFormat must come first");
    if (*seen)
        return bad(p, "a second section %s", section);
    *seen = true;
    return ZN_OK;
}

static zn_status read_section(parser *p)
{
    char section[WORD];
    next_word(p, section);
    ZN_TRY(line_done(p));
    if (section[0] != '$' || section[1] == '\0' || strncmp(section, "$End", 4) == 0)
        return bad(p, "expected a section such as $Nodes, found '%s'", section);
    if (strcmp(section, "$MeshFormat") == 0)
        return p->version == 0 ? read_format(p) : bad(p, "a second section $MeshFormat");
    if (strcmp(section, "$PhysicalNames") == 0) {
        ZN_TRY(only_once(p, &p->has_names, section));
        return read_names(p);
    }
    if (strcmp(section, "$Entities") == 0 && p->version == 4) {
        ZN_TRY(only_once(p, &p->has_entities, section));
        return p->has_elements ? bad(p, "$Entities must come before $Elements") : read_entities(p);
    }
    if (strcmp(section, "$Nodes") == 0) {
        ZN_TRY(only_once(p, &p->has_nodes, section));
        return p->version == 2 ? read_nodes_2(p) : read_nodes_4(p);
    }
    if (strcmp(section, "$Elements") == 0) {
        ZN_TRY(only_once(p, &p->has_elements, section));
        return p->version == 2 ? read_elements_2(p) : read_elements_4(p);
    }
    return skip_section(p, section);
}

static zn_status read_all(parser *p)
{
    while (next_line(p))
        ZN_TRY(read_section(p));
    if (p->version == 0)
        return bad(p, "not a mesh file: there is no $MeshFormat");
    if (!p->has_nodes || !p->has_elements)
        return bad(p, "there is no section %s", p->has_nodes ? "$Elements" : "$Nodes");
    return ZN_OK;
}

zn_status zn_msh_parse(const char *text, size_t length, const char *name, zn_msh **out, char *message, size_t size)
{
    parser p = {.name = name, .next = text, .end = text + length, .message = message, .size = size};
    p.msh = ZN_NEW(zn_msh, 1);
    zn_status status = p.msh ? read_all(&p) : ZN_ERR_MEMORY;
    if (status == ZN_ERR_MEMORY)
        snprintf(message, size, "%s: out of memory", name);
    if (status == ZN_OK)
        *out = p.msh;
    else
        zn_msh_destroy(p.msh);
    return status;
}

zn_msh *zn_msh_destroy(zn_msh *msh)
{
    if (!msh)
        return NULL;
    free(msh->group);
    free(msh->entity);
    free(msh->physical);
    free(msh->node);
    free(msh->element);
    free(msh);
    return NULL;
}
