/// The model language of force elements: springs along a line, torsion springs, bushings.
#ifndef ZN_IO_SCHEMA_SPRING_H
#define ZN_IO_SCHEMA_SPRING_H

#include "io/schema.h"

/// Choices of 'type'.
typedef enum zn_spring_type { ZN_TYPE_LINE, ZN_TYPE_TORSION, ZN_TYPE_BUSHING } zn_spring_type;

typedef struct zn_spring_entry {
    int                 type;
    zn_reference        from, to;
    const zn_yaml_node *table, *force;
    zn_spring_def       def; ///< rest length: its signal
} zn_spring_entry;

typedef struct zn_torsion_entry {
    int                 type;
    zn_reference        from, to;
    const zn_yaml_node *table, *moment;
    zn_torsion_def      def; ///< free angle: its signal
} zn_torsion_entry;

typedef struct zn_bushing_entry {
    int                 type;
    zn_reference        from, to;
    const zn_yaml_node *stiffness, *damping;
    double              angle;
    zn_bushing_def      def;
} zn_bushing_entry;

extern const zn_schema zn_schema_spring, zn_schema_torsion, zn_schema_bushing;

#endif
