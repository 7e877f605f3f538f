/// Coupling of a fine part and one or several coarse ones: what its files share.
///     multirate.c           the step
///     multirate_whole.c     the state of the whole: what is shown of the parts
///     multirate_words.c     the options `fine` and `coarse`: which elements they name
///     multirate_choice.c    which element, contact and joint belongs to which part
///     multirate_split.c     the parts, and the interfaces between them
///     multirate_links.c     the forces on an interface
///     multirate_turns.c     nodes on it that turn at will
///     multirate_describe.c  sizes and critical step of the parts; the ratios
#ifndef ZN_SCHEME_MULTIRATE_H
#define ZN_SCHEME_MULTIRATE_H

#include "scheme/interface.h"
#include "scheme/partner.h"
#include "scheme/scheme.h"
#include "system/subsystem.h"

enum { FINE, COARSE };               ///< the fine part, and the first of the coarse ones
enum { ZN_LARGEST_RATIO = 1000000 }; ///< that may be given

/// (R_fine + R_coarse) L = difference, R the responses of the fine and of one coarse part to the links between them.
typedef struct multirate_links {
    int              count;
    zn_interface_way wanted;
    enum { LINKS_DIAGONAL, LINKS_DENSE, LINKS_SPARSE } way;
    double      *own, *inverse; ///< response of the coarse part, where it is diagonal; of the sum
    double      *response;      ///< dense: of both parts
    double      *padded;        ///< room for what a dense inverse writes beyond
    zn_interface dense;         ///< links 0: not made yet
} multirate_links;

/// A node on an interface that turns at will.
typedef struct multirate_turn {
    int link[3];      ///< of its rotations, among those of the coarse part
    int fine, coarse; ///< first coordinate of its rotation in both parts
} multirate_turn;

/// A part with its partner scheme.
typedef struct multirate_part {
    zn_subsystem         part;
    zn_state            *state;
    const zn_scheme_ops *ops;
    void                *self;
    int                  ratio;     ///< of its step to the fine one; 0: to be chosen in the first step
    int                  first;     ///< of its links among all
    int                  links;     ///< of the fine part: all
    int                 *dof;       ///< of the links
    double              *force;     ///< links now, as forces on this part
    multirate_links      interface; ///< of a coarse part
    int                  turns;     ///< of a coarse part: nodes on its interface that turn at will
    multirate_turn      *turn;
    double              *apart; ///< s of multirate_turns.c, three for each of them
    double              *shift; ///< at the links, of the step under way
    bool                 ready; ///< of a coarse part: its free solution belongs to the step under way
    double               balance[ZN_LEDGER_LINES]; ///< stored now, entered since the start
    double               ahead[ZN_LEDGER_LINES];   ///< the same at the end of the step
    double               work;                     ///< of the links in the step
    int                  cursor;                   ///< among its contacts, see multirate_whole.c
    zn_step_info         info;
} multirate_part;

/// All parts, the fine one first.
typedef struct multirate_parts {
    int             count, links;
    multirate_part *part;
} multirate_parts;

/// The scheme.
typedef struct multirate {
    const zn_system *sys;
    zn_scheme_def    def;
    multirate_parts  parts;
    int              links;    ///< all of them
    bool             turning;  ///< nodes on an interface turn at will
    double           h;        ///< of the fine part, once started
    bool             prepared; ///< responses that do not change belong to h and the ratios
    bool             behind;   ///< q, v and reactions of the whole are of an earlier step
    bool             simple;   ///< the response of the fine part is diagonal:
    double          *diagonal; ///< this one
    // history
    bool             started;
    int              phase; ///< fine steps since the last whole state
    double          *link;  ///< L_j
    double          *link0; ///< L_0 of the coarse steps under way
    double          *free0; ///< u_m of the last coarse steps
    // the coarse steps under way
    double          *from0;             ///< u_0
    double          *free1;             ///< u_m
    double          *met, *next;        ///< w_j, L_j
    double          *velocity;          ///< scratch
    double          *shown_q, *shown_v; ///< of a part
    double          *memory;            ///< of the vectors over the links
} multirate;

static inline const zn_partner_ops *multirate_partner(const multirate_part *p) { return p->ops->partner; }
static inline multirate_part       *multirate_fine(const multirate *s) { return &s->parts.part[FINE]; }

// --- forces on an interface ----------------------------------------------------------------------

zn_status multirate_links_create(int count, zn_interface_way wanted, multirate_links *out);
void      multirate_links_destroy(multirate_links *l);
/// Once both responses were prepared; `other`: that of the fine part at these links, NULL where it is not diagonal.
zn_status multirate_links_prepare(multirate_part *fine, multirate_part *coarse, const double *other);
zn_status multirate_links_solve(const multirate_part *coarse, const double *difference, double *link);
/// Velocity += R_coarse link.
zn_status multirate_links_add_coarse(const multirate_part *coarse, const double *link, double *scratch,
                                     double *velocity);

static inline zn_links multirate_links_of(const multirate_part *p) { return (zn_links){p->links, p->dof}; }
/// A response that changes from step to step.
static inline bool     multirate_is_curved(const multirate_part *p) { return p->ops->partner->settle != NULL; }

// --- nodes that turn at will ---------------------------------------------------------------------

/// slot: of the links of this coarse part, as 6 node + slot.
zn_status multirate_turns_create(const zn_system *sys, const int *slot, const zn_system *fine, multirate_part *c);
void      multirate_turns_destroy(multirate_part *c);
void      multirate_turns_start(multirate_part *c);
void      multirate_turns_list(multirate_part *c, zn_blob *blob);
/// s += sign * way, the latter at the links of this part.
void      multirate_turns_part(multirate_part *c, double sign, const double *way);
/// The shift of the next coarse step, from the states that this one ends with.
void      multirate_turns_join(multirate_part *c, const zn_state *fine);
/// The free velocity of an explicit part anew with these links; `same` stays true where it did not change.
zn_status multirate_spin(multirate_part *p, const double *force, double *scratch, double *velocity, bool *same);

// --- names ---------------------------------------------------------------------------------------

/// Is element number `index` of this part in the list? Its ratio, 0 where none is given.
bool      multirate_is_listed(const zn_system *sys, const char *list, int part, int index, int *ratio);
/// `total`: elements of each part of the model.
zn_status multirate_check_words(const zn_system *sys, const char *option, const char *list, const int *total);
int       multirate_count_words(const char *list);
/// Different ratios of coarse parts, first that of those without a name; returns how many.
int       multirate_list_ratios(const zn_system *sys, const zn_scheme_def *def, int *out);

// --- parts ---------------------------------------------------------------------------------------

/// Which elements, rules and nodes belong to each part, the fine one first.
typedef struct multirate_choice {
    int    parts;
    int   *ratio; ///< of each part
    bool **element, **rule;
    bool **node; ///< that elements with mass of the part use
    bool  *memory;
    bool **lists;
} multirate_choice;

zn_status multirate_choose(const zn_scheme_def *def, const zn_system *sys, multirate_choice *out);
void      multirate_choice_destroy(multirate_choice *c);

/// Create all parts and find the links. Refuses, with the reason and a name, what cannot be split.
zn_status multirate_split(const zn_scheme_def *def, const zn_system *sys, multirate_parts *out);
void      multirate_parts_destroy(multirate_parts *p);
/// Fine steps in those of the coarse parts: what is given, or as many as a coarse part would bear were it explicit.
zn_status multirate_choose_ratios(const zn_scheme_def *def, multirate_parts *p, double h);
/// Fine steps from one whole state to the next: the largest ratio.
int       multirate_period(const multirate_parts *p);
zn_status multirate_describe(const zn_scheme_def *def, const zn_system *sys, double h, zn_scheme_info *out);

// --- the whole -----------------------------------------------------------------------------------

/// Contacts and joints of all parts as they are now into those of the whole, which has room; `known`: so are those of
/// coarse parts, or else they are no numbers.
zn_status multirate_room_for_contacts(const multirate_parts *p, zn_contact_set *whole);
void      multirate_give_contacts(const multirate_parts *p, bool known, zn_contact_set *whole);
/// Results of contacts of the fine part from those of the whole, after a history was loaded.
zn_status multirate_take_contacts(multirate_parts *p, const zn_state *whole);
void      multirate_blank_contacts(const multirate_part *coarse, zn_contact_set *whole);
/// As in the table of schemes.
void      multirate_complete(void *self, zn_state *state);
void      multirate_hide(void *self, zn_state *state);
zn_status multirate_part_energy(void *self, const zn_state *whole, int part, zn_energy *out);
zn_status multirate_part_ledger(void *self, const zn_state *whole, int which, double out[ZN_LEDGER_LINES]);

#endif
