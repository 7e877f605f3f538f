/// Contact events of a run, few enough to be drawn.
///
/// When there are more than asked for, the time from the first to the last of them is cut into equal parts, as many (a
/// power of two) as leave few enough, and those of one name that begin in the same part and end in the same part become
/// one group. So whatever is drawn begins and ends where its events do, to the length of a part: what lasts longer is
/// never lost among others. Of each name the longest event and the one with the greatest impulse stay alone.
#ifndef ZN_VIEW_EVENT_GROUPS_H
#define ZN_VIEW_EVENT_GROUPS_H

#include "zn/io.h"

typedef struct zn_event_group {
    zn_result_event strongest;         ///< the event; of several the one with the greatest impulse
    int64_t         count, impacts;    ///< how many events, how many of them impacts
    double          from, to, impulse; ///< of all of them: the first time, the last, the sum
    int64_t         first;             ///< number of the first of them
    int             name, begin, end;  ///< what they have in common: number of the name, parts
    bool            open;              ///< none is still closed at the end
    bool            alone;             ///< the longest or the strongest of its name
} zn_event_group;

typedef struct zn_event_groups {
    int64_t         count, merged; ///< groups, and events in groups of several
    zn_event_group *group;         ///< in the order of their first events
    double          within;        ///< [s] length of a part; 0: all events are alone
} zn_event_groups;

/// Reads events [first, first + count).
typedef zn_status zn_event_read(const void *user, int64_t first, int64_t count, zn_result_event *events);

/// At most `most` groups of `count` events, or three times the number of names when that is more.
zn_status zn_event_groups_make(int64_t count, int64_t most, zn_event_read *read, const void *user,
                               zn_event_groups *out);
void      zn_event_groups_clear(zn_event_groups *groups);

#endif
