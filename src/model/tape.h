/// A compiled formula: instructions of a stack machine, evaluated for the value or for value and derivatives. Constant
/// while it is evaluated, so that threads may share it.
#ifndef ZN_MODEL_TAPE_H
#define ZN_MODEL_TAPE_H

#include <stdbool.h>

#include "zn/base.h"

typedef enum zn_tape_op {
    ZN_TAPE_NUMBER,   ///< push value
    ZN_TAPE_VARIABLE, ///< push variable `index`
    ZN_TAPE_TIME,     ///< push t
    ZN_TAPE_ADD,
    ZN_TAPE_SUBTRACT,
    ZN_TAPE_MULTIPLY,
    ZN_TAPE_DIVIDE,
    ZN_TAPE_POWER,
    ZN_TAPE_ADD_NUMBER, ///< the same with a number on the right
    ZN_TAPE_SUBTRACT_NUMBER,
    ZN_TAPE_MULTIPLY_NUMBER,
    ZN_TAPE_DIVIDE_NUMBER,
    ZN_TAPE_POWER_NUMBER,
    ZN_TAPE_NEGATE,
    ZN_TAPE_LESS,
    ZN_TAPE_GREATER,
    ZN_TAPE_AT_MOST,
    ZN_TAPE_AT_LEAST,
    ZN_TAPE_EQUAL,
    ZN_TAPE_DIFFERENT,
    ZN_TAPE_AND,
    ZN_TAPE_OR,
    ZN_TAPE_ONE,   ///< function `index` of one number
    ZN_TAPE_TWO,   ///< of two
    ZN_TAPE_THREE, ///< of three
    ZN_TAPE_SKIP,  ///< go on at `index`
    ZN_TAPE_UNLESS ///< pop; go on at `index` when it is zero
} zn_tape_op;

typedef struct zn_tape_step {
    zn_tape_op op;
    int        index;
    double     value;
} zn_tape_step;

typedef struct zn_tape {
    int           count, capacity;
    zn_tape_step *steps;
    int           border; ///< steps before it are where a jump may land: they are not joined with later ones
} zn_tape;

enum { ZN_TAPE_DEPTH = 128 }; ///< numbers on the stack

zn_status zn_tape_add(zn_tape *tape, zn_tape_step step); ///< joins steps where that saves one
void      zn_tape_clear(zn_tape *tape);
int       zn_tape_depth(const zn_tape *tape);                    ///< the most numbers on the stack
bool      zn_tape_is_number(const zn_tape *tape, double *value); ///< nothing but one number is left

double zn_tape_value(const zn_tape *tape, const double *variables, double t);

/// Value; gradient[count] gets the derivatives with respect to the variables, *rate (may be NULL) that with respect to
/// t. At kinks and jumps one side is taken.
double zn_tape_gradient(const zn_tape *tape, int count, const double *variables, double t, double *gradient,
                        double *rate);

/// The functions a formula may call.
typedef struct zn_tape_function {
    const char *name;
    int         arguments;
} zn_tape_function;

int              zn_tape_function_find(const char *name); ///< -1: none
zn_tape_function zn_tape_function_at(int index);          ///< name NULL beyond the last

#endif
