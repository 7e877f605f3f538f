// Reader of URDF files (Unified Robot Description Format, wiki.ros.org/urdf/XML) on expat. Which element may stand in
// which one, what its attributes are and who reads it is in the table zn_urdf_rules; elements that are known but have
// no counterpart are left out with a note, all others are faults with their line. The first fault ends the reading.
#include "io/urdf.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int zn_urdf_line(const zn_urdf_reader *r) { return (int)XML_GetCurrentLineNumber(r->parser); }

void zn_urdf_fail(zn_urdf_reader *r, zn_status status, const char *format, ...)
{
    if (r->status != ZN_OK)
        return;
    int     used = snprintf(r->message, r->size, "%s:%d: ", r->file, zn_urdf_line(r));
    va_list list;
    va_start(list, format);
    if (used >= 0 && (size_t)used < r->size)
        vsnprintf(r->message + used, r->size - (size_t)used, format, list);
    va_end(list);
    r->status = status;
    XML_StopParser(r->parser, XML_FALSE);
}

// Known, without a counterpart: what to do in place of it.
static const struct {
    zn_urdf_element in;
    const char     *tag, *advice;
} foreign[] = {
    {ZN_URDF_ROBOT, "transmission", "drives are 'motors' on joints"},
    {ZN_URDF_ROBOT, "gazebo", "it is for another program"},
    {ZN_URDF_ROBOT, "sensor", "what is measured is told in 'record'"},
    {ZN_URDF_LINK, "sensor", "what is measured is told in 'record'"},
    {ZN_URDF_LINK, "gazebo", "it is for another program"},
    {ZN_URDF_LINK, "contact", "laws of contacts are those of the section 'contacts'"},
    {ZN_URDF_LINK, "verbose", "it says nothing of the motion"},
    {ZN_URDF_COLLISION, "material", "what touches has no colour of its own"},
    {ZN_URDF_COLLISION, "verbose", "it says nothing of the motion"},
    {ZN_URDF_MATERIAL, "texture", "bodies have a colour only"},
    {ZN_URDF_JOINT, "calibration", "a joint begins at its value, see 'start'"},
    {ZN_URDF_JOINT, "safety_controller", "limits of controllers are part of 'motors' and 'controls'"},
};

// --- walking -------------------------------------------------------------------------------------

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; length > 0 && (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static void check_attributes(zn_urdf_reader *r, const char *known)
{
    for (int i = 0; r->attribute[i] != NULL && r->status == ZN_OK; i += 2) {
        const char *name = r->attribute[i];
        if (strchr(name, ':') == NULL && strncmp(name, "xmlns", 5) != 0 && !has_word(known, name))
            ZN_URDF_FAULT(r, "<%s> has an unknown attribute '%.60s'%s%s", r->tag, name,
                          known[0] != '\0' ? "; known: " : "", known);
    }
}

static bool leave_out(zn_urdf_reader *r, zn_urdf_element in)
{
    bool        extends = in != ZN_URDF_NOWHERE && strchr(r->tag, ':') != NULL; // a file as a whole extends nothing
    const char *advice = extends ? "an extension of another program" : NULL;
    for (size_t i = 0; i < ZN_COUNT(foreign); i++)
        if (foreign[i].in == in && strcmp(foreign[i].tag, r->tag) == 0)
            advice = foreign[i].advice;
    if (strncmp(r->tag, "xacro:", 6) == 0)
        ZN_URDF_FAULT(r, "<%.60s>: a xacro file is not URDF yet: 'xacro %.200s > robot.urdf' makes it so", r->tag,
                      r->file);
    if (advice == NULL || r->status != ZN_OK)
        return false;
    ZN_URDF_NEED(r, zn_robot_note(r->robot, "%s:%d: <%.60s> has no counterpart: %s", zn_file_name(r->file),
                                  zn_urdf_line(r), r->tag, advice));
    r->foreign = 1;
    return true;
}

static void say_unknown(zn_urdf_reader *r, zn_urdf_element in)
{
    static const char *const names[] = {"the file", "robot",    "link",  "inertial", "visual", "collision",
                                        "geometry", "material", "joint", "this",     "this"};
    char                     known[300] = "";
    for (size_t i = 0; i < ZN_URDF_RULES; i++)
        if (zn_urdf_rules[i].in == in)
            snprintf(known + strlen(known), sizeof known - strlen(known), " %s", zn_urdf_rules[i].tag);
    if (in == ZN_URDF_NOWHERE && strcmp(r->tag, "mujoco") == 0)
        ZN_URDF_FAULT(r, "an MJCF file, not a URDF file: its name ends in .xml");
    ZN_URDF_FAULT(r, "unknown <%.60s> in <%s>; known:%s", r->tag, names[in], known[0] != '\0' ? known : " nothing");
}

static void enter(zn_urdf_reader *r, size_t i)
{
    zn_urdf_level *here = &r->stack[r->depth];
    if (zn_urdf_rules[i].once && (here->seen >> i & 1u))
        ZN_URDF_FAULT(r, "a second <%s> here", r->tag);
    here->seen |= 1u << i;
    if (zn_urdf_rules[i].attributes != NULL)
        check_attributes(r, zn_urdf_rules[i].attributes);
    r->stack[++r->depth] = (zn_urdf_level){zn_urdf_rules[i].is, 0};
    if (r->status == ZN_OK && zn_urdf_rules[i].open != NULL)
        zn_urdf_rules[i].open(r);
}

static void XMLCALL on_start(void *user, const XML_Char *tag, const XML_Char **attribute)
{
    zn_urdf_reader *r = user;
    if (r->status != ZN_OK)
        return;
    r->tag = tag;
    r->attribute = attribute;
    zn_urdf_element in = r->stack[r->depth].is;
    if (r->foreign > 0) {
        r->foreign++;
        return;
    }
    for (size_t i = 0; i < ZN_URDF_RULES; i++)
        if (zn_urdf_rules[i].in == in && strcmp(zn_urdf_rules[i].tag, tag) == 0) {
            enter(r, i);
            return;
        }
    if (!leave_out(r, in))
        say_unknown(r, in);
}

static void XMLCALL on_end(void *user, const XML_Char *tag)
{
    zn_urdf_reader *r = user;
    if (r->status != ZN_OK)
        return;
    if (r->foreign > 0) {
        r->foreign--;
        return;
    }
    zn_urdf_level done = r->stack[r->depth--];
    r->tag = tag;
    for (size_t i = 0; i < ZN_URDF_RULES; i++)
        if (zn_urdf_rules[i].in == done.is && zn_urdf_rules[i].needed && !(done.seen >> i & 1u))
            ZN_URDF_FAULT(r, "<%s> ends without <%s>", tag, zn_urdf_rules[i].tag);
    for (size_t i = 0; i < ZN_URDF_RULES && r->status == ZN_OK; i++)
        if (zn_urdf_rules[i].in == r->stack[r->depth].is && strcmp(zn_urdf_rules[i].tag, tag) == 0 &&
            zn_urdf_rules[i].close != NULL)
            zn_urdf_rules[i].close(r);
}

static void XMLCALL on_text(void *user, const XML_Char *text, int length)
{
    zn_urdf_reader *r = user;
    for (int i = 0; i < length && r->foreign == 0; i++)
        if (!zn_urdf_is_blank(text[i])) {
            ZN_URDF_FAULT(r, "text between the elements");
            return;
        }
}

// Entities of a document type could grow without bounds, and URDF has none.
static void XMLCALL on_doctype(void *user, const XML_Char *name, const XML_Char *system, const XML_Char *public,
                               int own)
{
    (void)name, (void)system, (void)public, (void)own;
    ZN_URDF_FAULT((zn_urdf_reader *)user, "a document type is not part of URDF");
}

static void fill_colours(zn_urdf_reader *r)
{
    for (int i = 0; i < r->robot->shapes; i++) {
        zn_robot_shape *shape = &r->robot->shape[i];
        for (int k = 0; k < r->colours && shape->colour[0] == '\0' && shape->material[0] != '\0'; k++)
            if (strcmp(r->colour[k].name, shape->material) == 0)
                strcpy(shape->colour, r->colour[k].text);
    }
}

zn_status zn_urdf_parse(const char *text, size_t length, const char *name, zn_robot *out, char *message, size_t size)
{
    zn_urdf_reader r = {.robot = out, .file = name, .message = message, .size = size, .parser = XML_ParserCreate(NULL)};
    *out = (zn_robot){0};
    if (r.parser == NULL || length > 1 << 30) {
        snprintf(message, size, "%s: out of memory", name);
        return ZN_ERR_MEMORY;
    }
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, on_start, on_end);
    XML_SetCharacterDataHandler(r.parser, on_text);
    XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
    if (XML_Parse(r.parser, text, (int)length, 1) != XML_STATUS_OK && r.status == ZN_OK)
        ZN_URDF_FAULT(&r, "no XML: %s", XML_ErrorString(XML_GetErrorCode(r.parser)));
    if (r.status == ZN_OK)
        fill_colours(&r);
    free(r.colour);
    free(r.shape.file);
    XML_ParserFree(r.parser);
    return r.status;
}
