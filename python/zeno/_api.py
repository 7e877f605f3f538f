"""Made by python/generate from the headers; do not edit."""
from ctypes import *

CONSTANTS = {
    'ZN_ERR_IO': -5,
    'ZN_ERR_UNSUPPORTED': -4,
    'ZN_ERR_ARGUMENT': -3,
    'ZN_ERR_MODEL': -2,
    'ZN_ERR_MEMORY': -1,
    'ZN_OK': 0,
    'ZN_NOT_CONVERGED': 1,
    'ZN_SINGULAR': 2,
    'ZN_NOT_FINITE': 3,
    'ZN_INVALID_STATE': 4,
    'ZN_INTERRUPTED': 5,
    'ZN_NOT_STABLE': 6,
    'ZN_CONTACT_NUMBER_BITS': 40,
    'ZN_LOG_INFO': 0,
    'ZN_LOG_WARNING': 1,
    'ZN_LOG_ERROR': 2,
    'ZN_LOG_REASON': 3,
    'ZN_POINT2': 0,
    'ZN_POINT3': 1,
    'ZN_FRAME2': 2,
    'ZN_FRAME3': 3,
    'ZN_SCALAR': 4,
    'ZN_FIX_X': 1,
    'ZN_FIX_Y': 2,
    'ZN_FIX_Z': 4,
    'ZN_FIX_ROTATION': 8,
    'ZN_MASS_CONSISTENT': 0,
    'ZN_MASS_LUMPED': 1,
    'ZN_SECTION_GENERAL': 0,
    'ZN_SECTION_RECTANGLE': 1,
    'ZN_SECTION_CIRCLE': 2,
    'ZN_BEAM_EXACT': 0,
    'ZN_BEAM_TIMOSHENKO': 1,
    'ZN_BEAM_EULER_BERNOULLI': 2,
    'ZN_QUAD4': 0,
    'ZN_TET4': 1,
    'ZN_HEX8': 2,
    'ZN_SOLID_LINEAR': 0,
    'ZN_SOLID_SAINT_VENANT_KIRCHHOFF': 1,
    'ZN_SOLID_NEO_HOOKEAN': 2,
    'ZN_PLANE_STRAIN': 0,
    'ZN_PLANE_STRESS': 1,
    'ZN_SOLID_STANDARD': 0,
    'ZN_SOLID_REDUCED': 1,
    'ZN_SOLID_MEAN_DILATATION': 2,
    'ZN_SOLID_ENHANCED': 3,
    'ZN_JOINT_FIXED': 0,
    'ZN_JOINT_REVOLUTE': 1,
    'ZN_JOINT_PRISMATIC': 2,
    'ZN_JOINT_ROD': 3,
    'ZN_JOINT_COUPLING': 4,
    'ZN_JOINT_MOTION': 5,
    'ZN_JOINT_SPHERICAL': 6,
    'ZN_JOINT_CYLINDRICAL': 7,
    'ZN_JOINT_PLANAR': 8,
    'ZN_JOINT_UNIVERSAL': 9,
    'ZN_COORDINATE_X': 0,
    'ZN_COORDINATE_Y': 1,
    'ZN_COORDINATE_Z': 2,
    'ZN_COORDINATE_ANGLE': 3,
    'ZN_DRAWING_NONE': 0,
    'ZN_DRAWING_SPHERE': 1,
    'ZN_DRAWING_BOX': 2,
    'ZN_DRAWING_CYLINDER': 3,
    'ZN_DRAWING_POLYGON': 4,
    'ZN_DRAWING_HULL': 5,
    'ZN_DRAWING_TRIANGLES': 6,
    'ZN_DRAWING_CAPSULE': 7,
    'ZN_DRAWING_MESH': 8,
    'ZN_LINK_SPRING': 0,
    'ZN_LINK_ROD': 1,
    'ZN_LINK_JOINT': 2,
    'ZN_OUTLINE_POINTS': 64,
    'ZN_IMPACT_NEWTON': 0,
    'ZN_IMPACT_POISSON': 1,
    'ZN_IMPACT_SEQUENTIAL': 2,
    'ZN_SURFACE_PLANE': 0,
    'ZN_SURFACE_CIRCLE': 1,
    'ZN_SURFACE_HOLE': 2,
    'ZN_SURFACE_SLOT': 3,
    'ZN_SURFACE_FACETS': 4,
    'ZN_SURFACE_CYLINDER': 5,
    'ZN_SURFACE_BORE': 6,
    'ZN_SURFACE_SHAPE': 7,
    'ZN_SHAPE_SPHERE': 0,
    'ZN_SHAPE_BOX': 1,
    'ZN_SHAPE_PLANE': 2,
    'ZN_SHAPE_CAPSULE': 3,
    'ZN_SHAPE_CYLINDER': 4,
    'ZN_SHAPE_HULL': 5,
    'ZN_SHAPE_MESH': 6,
    'ZN_SHAPE_CONTOUR': 7,
    'ZN_SHAPE_KINDS': 8,
    'ZN_SPRING_BOTH': 0,
    'ZN_SPRING_PULL': 1,
    'ZN_SPRING_PUSH': 2,
    'ZN_CAD_PLANE': 0,
    'ZN_CAD_CYLINDER': 1,
    'ZN_CAD_BORE': 2,
    'ZN_CAD_CONE': 3,
    'ZN_CAD_SPHERE': 4,
    'ZN_CAD_TORUS': 5,
    'ZN_CAD_OTHER': 6,
    'ZN_FC_MEASURE_NATURAL': 0,
    'ZN_FC_MEASURE_FCLIB': 1,
    'ZN_OPTION_NUMBER': 0,
    'ZN_OPTION_COUNT': 1,
    'ZN_OPTION_FLAG': 2,
    'ZN_OPTION_CHOICE': 3,
    'ZN_OPTION_TEXT': 4,
    'ZN_WORD_BYTES': 32,
    'ZN_FORECAST_EXPLICIT': 0,
    'ZN_FORECAST_FREE': 1,
    'ZN_APPROACH_START': 0,
    'ZN_APPROACH_END': 1,
    'ZN_METRIC_IDENTITY': 0,
    'ZN_METRIC_MASS': 1,
    'ZN_METRIC_ITERATION': 2,
    'ZN_SMOOTH_CONTACTS': 0,
    'ZN_SMOOTH_JOINTS': 1,
    'ZN_SMOOTH_FORCES': 2,
    'ZN_SMOOTH_NONE': 3,
    'ZN_CONTACT_FRAMES': 0,
    'ZN_CONTACT_NODE_TO_SEGMENT': 1,
    'ZN_INTERFACE_AUTO': 0,
    'ZN_INTERFACE_DENSE': 1,
    'ZN_INTERFACE_SPARSE': 2,
    'ZN_LEDGER_KINETIC': 0,
    'ZN_LEDGER_STRAIN': 1,
    'ZN_LEDGER_GRAVITY': 2,
    'ZN_LEDGER_LOAD': 3,
    'ZN_LEDGER_MOTOR': 4,
    'ZN_LEDGER_DAMPER': 5,
    'ZN_LEDGER_CONTACT': 6,
    'ZN_LEDGER_FRICTION': 7,
    'ZN_LEDGER_JOINT': 8,
    'ZN_LEDGER_PROJECTION': 9,
    'ZN_LEDGER_INTERFACE': 10,
    'ZN_LEDGER_COMPLEMENTARY': 11,
    'ZN_LEDGER_NUMERICAL': 12,
    'ZN_LEDGER_LINES': 13,
    'ZN_LEDGER_STORED': 3,
    'ZN_UNSTABLE_WARN': 0,
    'ZN_UNSTABLE_ERROR': 1,
    'ZN_UNSTABLE_IGNORE': 2,
    'ZN_CONTACT_OPEN': 0,
    'ZN_CONTACT_CLOSED': 1,
    'ZN_CONTACT_STICKING': 2,
    'ZN_CONTACT_SLIPPING': 3,
    'ZN_EFFORT_steps': 0,
    'ZN_EFFORT_retries': 1,
    'ZN_EFFORT_newton': 2,
    'ZN_EFFORT_projection': 3,
    'ZN_EFFORT_activation': 4,
    'ZN_EFFORT_solver': 5,
    'ZN_EFFORT_newton_max': 6,
    'ZN_EFFORT_projection_max': 7,
    'ZN_EFFORT_activation_max': 8,
    'ZN_EFFORT_solver_max': 9,
    'ZN_EFFORT_COLUMNS': 10,
    'ZN_SCENE_TRIANGLES': 50000,
}

ENUMS = {
    'zn_status': ['ZN_ERR_IO', 'ZN_ERR_UNSUPPORTED', 'ZN_ERR_ARGUMENT', 'ZN_ERR_MODEL', 'ZN_ERR_MEMORY', 'ZN_OK', 'ZN_NOT_CONVERGED', 'ZN_SINGULAR', 'ZN_NOT_FINITE', 'ZN_INVALID_STATE', 'ZN_INTERRUPTED', 'ZN_NOT_STABLE'],
    'zn_severity': ['ZN_LOG_INFO', 'ZN_LOG_WARNING', 'ZN_LOG_ERROR', 'ZN_LOG_REASON'],
    'zn_node_kind': ['ZN_POINT2', 'ZN_POINT3', 'ZN_FRAME2', 'ZN_FRAME3', 'ZN_SCALAR'],
    'zn_mass_kind': ['ZN_MASS_CONSISTENT', 'ZN_MASS_LUMPED'],
    'zn_section_shape': ['ZN_SECTION_GENERAL', 'ZN_SECTION_RECTANGLE', 'ZN_SECTION_CIRCLE'],
    'zn_beam_theory': ['ZN_BEAM_EXACT', 'ZN_BEAM_TIMOSHENKO', 'ZN_BEAM_EULER_BERNOULLI'],
    'zn_solid_shape': ['ZN_QUAD4', 'ZN_TET4', 'ZN_HEX8'],
    'zn_solid_model': ['ZN_SOLID_LINEAR', 'ZN_SOLID_SAINT_VENANT_KIRCHHOFF', 'ZN_SOLID_NEO_HOOKEAN'],
    'zn_plane_kind': ['ZN_PLANE_STRAIN', 'ZN_PLANE_STRESS'],
    'zn_solid_formulation': ['ZN_SOLID_STANDARD', 'ZN_SOLID_REDUCED', 'ZN_SOLID_MEAN_DILATATION', 'ZN_SOLID_ENHANCED'],
    'zn_joint_kind': ['ZN_JOINT_FIXED', 'ZN_JOINT_REVOLUTE', 'ZN_JOINT_PRISMATIC', 'ZN_JOINT_ROD', 'ZN_JOINT_COUPLING', 'ZN_JOINT_MOTION', 'ZN_JOINT_SPHERICAL', 'ZN_JOINT_CYLINDRICAL', 'ZN_JOINT_PLANAR', 'ZN_JOINT_UNIVERSAL'],
    'zn_coordinate': ['ZN_COORDINATE_X', 'ZN_COORDINATE_Y', 'ZN_COORDINATE_Z', 'ZN_COORDINATE_ANGLE'],
    'zn_drawing_kind': ['ZN_DRAWING_NONE', 'ZN_DRAWING_SPHERE', 'ZN_DRAWING_BOX', 'ZN_DRAWING_CYLINDER', 'ZN_DRAWING_POLYGON', 'ZN_DRAWING_HULL', 'ZN_DRAWING_TRIANGLES', 'ZN_DRAWING_CAPSULE', 'ZN_DRAWING_MESH'],
    'zn_link_kind': ['ZN_LINK_SPRING', 'ZN_LINK_ROD', 'ZN_LINK_JOINT'],
    'zn_impact_law': ['ZN_IMPACT_NEWTON', 'ZN_IMPACT_POISSON', 'ZN_IMPACT_SEQUENTIAL'],
    'zn_surface_kind': ['ZN_SURFACE_PLANE', 'ZN_SURFACE_CIRCLE', 'ZN_SURFACE_HOLE', 'ZN_SURFACE_SLOT', 'ZN_SURFACE_FACETS', 'ZN_SURFACE_CYLINDER', 'ZN_SURFACE_BORE', 'ZN_SURFACE_SHAPE'],
    'zn_shape_kind': ['ZN_SHAPE_SPHERE', 'ZN_SHAPE_BOX', 'ZN_SHAPE_PLANE', 'ZN_SHAPE_CAPSULE', 'ZN_SHAPE_CYLINDER', 'ZN_SHAPE_HULL', 'ZN_SHAPE_MESH', 'ZN_SHAPE_CONTOUR', 'ZN_SHAPE_KINDS'],
    'zn_spring_side': ['ZN_SPRING_BOTH', 'ZN_SPRING_PULL', 'ZN_SPRING_PUSH'],
    'zn_cad_kind': ['ZN_CAD_PLANE', 'ZN_CAD_CYLINDER', 'ZN_CAD_BORE', 'ZN_CAD_CONE', 'ZN_CAD_SPHERE', 'ZN_CAD_TORUS', 'ZN_CAD_OTHER'],
    'zn_fc_measure': ['ZN_FC_MEASURE_NATURAL', 'ZN_FC_MEASURE_FCLIB'],
    'zn_option_kind': ['ZN_OPTION_NUMBER', 'ZN_OPTION_COUNT', 'ZN_OPTION_FLAG', 'ZN_OPTION_CHOICE', 'ZN_OPTION_TEXT'],
    'zn_forecast': ['ZN_FORECAST_EXPLICIT', 'ZN_FORECAST_FREE'],
    'zn_approach': ['ZN_APPROACH_START', 'ZN_APPROACH_END'],
    'zn_metric': ['ZN_METRIC_IDENTITY', 'ZN_METRIC_MASS', 'ZN_METRIC_ITERATION'],
    'zn_smooth': ['ZN_SMOOTH_CONTACTS', 'ZN_SMOOTH_JOINTS', 'ZN_SMOOTH_FORCES', 'ZN_SMOOTH_NONE'],
    'zn_contact_form': ['ZN_CONTACT_FRAMES', 'ZN_CONTACT_NODE_TO_SEGMENT'],
    'zn_interface_way': ['ZN_INTERFACE_AUTO', 'ZN_INTERFACE_DENSE', 'ZN_INTERFACE_SPARSE'],
    'zn_ledger_line': ['ZN_LEDGER_KINETIC', 'ZN_LEDGER_STRAIN', 'ZN_LEDGER_GRAVITY', 'ZN_LEDGER_LOAD', 'ZN_LEDGER_MOTOR', 'ZN_LEDGER_DAMPER', 'ZN_LEDGER_CONTACT', 'ZN_LEDGER_FRICTION', 'ZN_LEDGER_JOINT', 'ZN_LEDGER_PROJECTION', 'ZN_LEDGER_INTERFACE', 'ZN_LEDGER_COMPLEMENTARY', 'ZN_LEDGER_NUMERICAL', 'ZN_LEDGER_LINES', 'ZN_LEDGER_STORED'],
    'zn_unstable': ['ZN_UNSTABLE_WARN', 'ZN_UNSTABLE_ERROR', 'ZN_UNSTABLE_IGNORE'],
    'zn_contact_state': ['ZN_CONTACT_OPEN', 'ZN_CONTACT_CLOSED', 'ZN_CONTACT_STICKING', 'ZN_CONTACT_SLIPPING'],
    'zn_effort_column': ['ZN_EFFORT_steps', 'ZN_EFFORT_retries', 'ZN_EFFORT_newton', 'ZN_EFFORT_projection', 'ZN_EFFORT_activation', 'ZN_EFFORT_solver', 'ZN_EFFORT_newton_max', 'ZN_EFFORT_projection_max', 'ZN_EFFORT_activation_max', 'ZN_EFFORT_solver_max', 'ZN_EFFORT_COLUMNS'],
}


class zn_contact_id(Structure):
    _fields_ = [
        ('contact', c_int64),
        ('feature', c_int64),
    ]
    enums = {}


class zn_log(Structure):
    _fields_ = [
        ('write', CFUNCTYPE(None, c_void_p, c_int, c_char_p)),
        ('user', c_void_p),
    ]
    enums = {}


class zn_vec2(Structure):
    _fields_ = [
        ('x', c_double),
        ('y', c_double),
    ]
    enums = {}


class zn_vec3(Structure):
    _fields_ = [
        ('x', c_double),
        ('y', c_double),
        ('z', c_double),
    ]
    enums = {}


class zn_mat3(Structure):
    _fields_ = [
        ('m', ((c_double * 3) * 3)),
    ]
    enums = {}


class zn_quat(Structure):
    _fields_ = [
        ('w', c_double),
        ('x', c_double),
        ('y', c_double),
        ('z', c_double),
    ]
    enums = {}


class zn_sparse(Structure):
    _fields_ = [
        ('n', c_int),
        ('start', POINTER(c_int)),
        ('row', POINTER(c_int)),
        ('value', POINTER(c_double)),
    ]
    enums = {}


class zn_dof_block(Structure):
    _fields_ = [
        ('count', c_int),
        ('size', c_int),
        ('dof', POINTER(c_int)),
    ]
    enums = {}


class zn_linsolver_info(Structure):
    _fields_ = [
        ('backend', c_char_p),
        ('factorizations', c_int64),
        ('refactorizations', c_int64),
        ('solves', c_int64),
    ]
    enums = {}


class zn_newton_problem(Structure):
    _fields_ = [
        ('user', c_void_p),
        ('direction', CFUNCTYPE(c_int, c_void_p)),
        ('trial', CFUNCTYPE(c_int, c_void_p, c_double, POINTER(c_double))),
        ('accept', CFUNCTYPE(None, c_void_p)),
    ]
    enums = {}


class zn_newton_settings(Structure):
    _fields_ = [
        ('max_iterations', c_int),
        ('max_halvings', c_int),
        ('patience', c_int),
    ]
    enums = {}


class zn_newton_info(Structure):
    _fields_ = [
        ('iterations', c_int),
        ('norm', c_double),
    ]
    enums = {}


class zn_node_id(Structure):
    _fields_ = [
        ('value', c_int32),
    ]
    enums = {}


class zn_model_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('planar', c_bool),
        ('gravity', zn_vec3),
        ('start', c_double),
        ('log', zn_log),
        ('locate', CFUNCTYPE(None, c_void_p, c_int)),
    ]
    enums = {}


class zn_node_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('kind', c_int),
        ('origin', zn_vec3),
        ('position', zn_vec3),
        ('angle', c_double),
        ('rotation', zn_quat),
        ('velocity', zn_vec3),
        ('spin', zn_vec3),
        ('fixed', c_uint),
    ]
    enums = {'kind': 'zn_node_kind'}


class zn_body_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('mass', c_double),
        ('inertia', c_double),
        ('position', zn_vec3),
        ('angle', c_double),
        ('velocity', zn_vec3),
        ('spin', c_double),
        ('fixed', c_uint),
        ('inertia3', zn_mat3),
        ('rotation', zn_quat),
        ('spin3', zn_vec3),
    ]
    enums = {}


class zn_tied_body_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('body', zn_body_def),
        ('box', zn_vec3),
        ('share', c_double),
    ]
    enums = {}


class zn_attachment(Structure):
    _fields_ = [
        ('node', zn_node_id),
        ('at', zn_vec3),
    ]
    enums = {}


class zn_point_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('point', zn_attachment),
    ]
    enums = {}


class zn_span_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('from', zn_attachment),
        ('to', zn_attachment),
        ('axes', zn_node_id),
    ]
    enums = {}


class zn_bar_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('from', zn_vec3),
        ('to', zn_vec3),
        ('elements', c_int),
        ('young', c_double),
        ('density', c_double),
        ('area', c_double),
        ('mass', c_int),
        ('velocity', zn_vec3),
        ('fixed', c_uint),
        ('mass_damping', c_double),
        ('stiffness_damping', c_double),
        ('first_node', zn_node_id),
        ('last_node', zn_node_id),
    ]
    enums = {'mass': 'zn_mass_kind'}


class zn_beam_section(Structure):
    _fields_ = [
        ('area', c_double),
        ('shear_y', c_double),
        ('shear_z', c_double),
        ('moment_y', c_double),
        ('moment_z', c_double),
        ('torsion', c_double),
        ('rotary_x', c_double),
        ('rotary_y', c_double),
        ('rotary_z', c_double),
        ('shape', c_int),
        ('height', c_double),
        ('width', c_double),
        ('thickness', c_double),
    ]
    enums = {'shape': 'zn_section_shape'}


class zn_beam_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('from', zn_vec3),
        ('to', zn_vec3),
        ('radius', c_double),
        ('angle', c_double),
        ('tangent', zn_vec3),
        ('arc_axis', zn_vec3),
        ('y_axis', zn_vec3),
        ('elements', c_int),
        ('young', c_double),
        ('poisson', c_double),
        ('shear_modulus', c_double),
        ('density', c_double),
        ('section', zn_beam_section),
        ('mass', c_int),
        ('velocity', zn_vec3),
        ('fixed', c_uint),
        ('fix_first', c_uint),
        ('fix_last', c_uint),
        ('theory', c_int),
        ('first_node', zn_node_id),
        ('last_node', zn_node_id),
        ('mass_damping', c_double),
        ('stiffness_damping', c_double),
    ]
    enums = {'mass': 'zn_mass_kind', 'theory': 'zn_beam_theory'}


class zn_mesh_set(Structure):
    _fields_ = [
        ('name', c_char_p),
        ('count', c_int),
        ('nodes', POINTER(c_int)),
    ]
    enums = {}


class zn_mesh(Structure):
    _fields_ = [
        ('shape', c_int),
        ('node_count', c_int),
        ('nodes', POINTER(zn_vec3)),
        ('element_count', c_int),
        ('elements', POINTER(c_int)),
        ('set_count', c_int),
        ('sets', POINTER(zn_mesh_set)),
    ]
    enums = {'shape': 'zn_solid_shape'}


class zn_solid_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('mesh', POINTER(zn_mesh)),
        ('young', c_double),
        ('poisson', c_double),
        ('density', c_double),
        ('model', c_int),
        ('plane', c_int),
        ('thickness', c_double),
        ('mass', c_int),
        ('mass_damping', c_double),
        ('stiffness_damping', c_double),
        ('velocity', zn_vec3),
        ('fixed', c_uint),
        ('shared', POINTER(zn_node_id)),
        ('formulation', c_int),
        ('velocities', POINTER(zn_vec3)),
    ]
    enums = {'model': 'zn_solid_model', 'plane': 'zn_plane_kind', 'mass': 'zn_mass_kind', 'formulation': 'zn_solid_formulation'}


class zn_joint_dof(Structure):
    _fields_ = [
        ('node', zn_node_id),
        ('coordinate', c_int),
        ('factor', c_double),
    ]
    enums = {'coordinate': 'zn_coordinate'}


class zn_play_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('radius', c_double),
        ('length', c_double),
        ('pin_radius', c_double),
        ('axial', c_double),
        ('height', c_double),
        ('breadth', c_double),
        ('across', zn_vec3),
        ('restitution', c_double),
        ('friction', c_double),
        ('tangential_restitution', c_double),
        ('restitution_from', c_double),
    ]
    enums = {}


class zn_joint_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('kind', c_int),
        ('a', zn_attachment),
        ('b', zn_attachment),
        ('axis', zn_vec3),
        ('axis2', zn_vec3),
        ('length', c_double),
        ('dof', (zn_joint_dof * 2)),
        ('motion', c_void_p),
        ('start', c_double),
        ('limits', (c_double * 2)),
        ('dry_friction', c_double),
        ('stiffness', c_double),
        ('damping', c_double),
        ('rest', c_double),
        ('joint', (c_char_p * 2)),
        ('factor', (c_double * 2)),
        ('backlash', c_double),
        ('restitution', c_double),
        ('play', POINTER(zn_play_def)),
    ]
    enums = {'kind': 'zn_joint_kind'}


class zn_lattice_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('body', zn_body_def),
        ('count', (c_int * 3)),
        ('limit', c_int),
        ('spacing', zn_vec3),
        ('jitter', zn_vec3),
        ('seed', c_int64),
        ('sphere', c_double),
        ('material', c_char_p),
        ('shape', c_void_p),
    ]
    enums = {}


class zn_colour(Structure):
    _fields_ = [
        ('given', c_bool),
        ('red', c_uint8),
        ('green', c_uint8),
        ('blue', c_uint8),
    ]
    enums = {}


class zn_drawing(Structure):
    _fields_ = [
        ('kind', c_int),
        ('centre', zn_vec3),
        ('size', zn_vec3),
        ('axis', zn_vec3),
        ('radius', c_double),
        ('point_count', c_int),
        ('points', POINTER(zn_vec3)),
        ('colour', zn_colour),
        ('transparency', c_double),
        ('rotation', zn_quat),
        ('bulges', POINTER(c_double)),
        ('triangle_count', c_int),
        ('triangles', POINTER(c_int)),
        ('open', c_bool),
    ]
    enums = {'kind': 'zn_drawing_kind'}


class zn_at(Structure):
    _fields_ = [
        ('q', POINTER(c_double)),
        ('v', POINTER(c_double)),
        ('t', c_double),
        ('relief', c_double),
    ]
    enums = {}


class zn_energy(Structure):
    _fields_ = [
        ('kinetic', c_double),
        ('strain', c_double),
        ('gravity', c_double),
    ]
    enums = {}


class zn_power(Structure):
    _fields_ = [
        ('strain', c_double),
        ('gravity', c_double),
        ('load', c_double),
        ('motor', c_double),
        ('damper', c_double),
        ('gyroscopic', c_double),
    ]
    enums = {}


class zn_lagrangian_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('n', c_int),
        ('q0', POINTER(c_double)),
        ('v0', POINTER(c_double)),
        ('user', c_void_p),
        ('destroy', CFUNCTYPE(None, c_void_p)),
        ('mass', CFUNCTYPE(c_int, c_void_p, POINTER(c_double), POINTER(c_double))),
        ('potential', CFUNCTYPE(c_int, c_void_p, POINTER(c_double), POINTER(c_double), POINTER(c_double))),
        ('gyroscopic', CFUNCTYPE(c_int, c_void_p, POINTER(c_double), POINTER(c_double), POINTER(c_double))),
        ('force', CFUNCTYPE(c_int, c_void_p, c_double, POINTER(c_double), POINTER(c_double), POINTER(c_double))),
        ('tangent', CFUNCTYPE(c_int, c_void_p, c_double, POINTER(c_double), POINTER(c_double), POINTER(c_double), POINTER(c_double))),
        ('contacts', c_int),
        ('contact_names', POINTER(c_char_p)),
        ('restitution', POINTER(c_double)),
        ('friction', POINTER(c_double)),
        ('contact', CFUNCTYPE(c_int, c_void_p, c_int, POINTER(c_double), POINTER(c_double), POINTER(c_double), POINTER(c_double))),
        ('joints', c_int),
        ('joint', CFUNCTYPE(c_int, c_void_p, c_int, c_double, POINTER(c_double), POINTER(c_double), POINTER(c_double), POINTER(c_double))),
        ('outlines', c_int),
        ('outline', CFUNCTYPE(c_int, c_void_p, c_int, POINTER(c_double), POINTER(zn_vec3))),
        ('where', CFUNCTYPE(None, c_void_p, c_int, POINTER(c_double), POINTER(zn_vec3), POINTER(zn_vec3), POINTER(zn_vec3))),
    ]
    enums = {}


class zn_code_parameter(Structure):
    _fields_ = [
        ('name', c_char_p),
        ('standard', c_double),
        ('unit', c_char_p),
        ('help', c_char_p),
    ]
    enums = {}


class zn_code_system(Structure):
    _fields_ = [
        ('word', c_char_p),
        ('help', c_char_p),
        ('parameters', c_int),
        ('parameter', POINTER(zn_code_parameter)),
        ('add', CFUNCTYPE(c_int, c_void_p, c_char_p, POINTER(c_double))),
    ]
    enums = {}


class zn_contact_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('point', zn_attachment),
        ('points', c_char_p),
        ('normal', zn_vec3),
        ('through', zn_vec3),
        ('restitution', c_double),
        ('radius', c_double),
        ('surface_node', zn_node_id),
        ('surface', c_int),
        ('surface_radius', c_double),
        ('axis', zn_vec3),
        ('width', c_double),
        ('friction', c_double),
        ('tangential_restitution', c_double),
        ('rolling_friction', c_double),
        ('spinning_friction', c_double),
        ('length', c_double),
        ('breadth', c_double),
        ('along', zn_vec3),
        ('depth', c_double),
        ('part', c_char_p),
        ('face', c_char_p),
        ('reach', c_double),
        ('rim', zn_vec3),
        ('ring', c_bool),
        ('restitution_from', c_double),
        ('taper', c_double),
        ('shape', c_char_p),
        ('cohesion', c_double),
    ]
    enums = {'surface': 'zn_surface_kind'}


class zn_pin_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('pin', zn_attachment),
        ('hole', zn_attachment),
        ('pin_axis', zn_vec3),
        ('hole_axis', zn_vec3),
        ('pin_radius', c_double),
        ('hole_radius', c_double),
        ('pin_length', c_double),
        ('hole_length', c_double),
        ('restitution', c_double),
        ('friction', c_double),
        ('tangential_restitution', c_double),
        ('restitution_from', c_double),
    ]
    enums = {}


class zn_surfaces_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('part_a', c_char_p),
        ('face_a', c_char_p),
        ('part_b', c_char_p),
        ('face_b', c_char_p),
        ('friction', c_double),
        ('tangential_restitution', c_double),
        ('restitution', c_double),
        ('restitution_from', c_double),
        ('reach', c_double),
    ]
    enums = {}


class zn_contour_side(Structure):
    _fields_ = [
        ('start', zn_vec3),
        ('bulge', c_double),
    ]
    enums = {}


class zn_shape_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('kind', c_int),
        ('at', zn_attachment),
        ('radius', c_double),
        ('length', c_double),
        ('box', zn_vec3),
        ('rotation', zn_quat),
        ('material', c_char_p),
        ('normal', zn_vec3),
        ('point_count', c_int),
        ('points', POINTER(zn_vec3)),
        ('triangle_count', c_int),
        ('triangles', POINTER(c_int)),
        ('side_count', c_int),
        ('sides', POINTER(zn_contour_side)),
        ('open', c_bool),
        ('hole', c_bool),
    ]
    enums = {'kind': 'zn_shape_kind'}


class zn_material_pair_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('a', c_char_p),
        ('b', c_char_p),
        ('restitution', c_double),
        ('friction', c_double),
        ('tangential_restitution', c_double),
        ('restitution_from', c_double),
        ('rolling_friction', c_double),
        ('spinning_friction', c_double),
    ]
    enums = {}


class zn_pairs_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('between_count', c_int),
        ('against_count', c_int),
        ('between', POINTER(c_char_p)),
        ('against', POINTER(c_char_p)),
        ('except_count', c_int),
        ('except', POINTER(c_char_p)),
        ('joined', c_bool),
        ('restitution', c_double),
        ('friction', c_double),
        ('tangential_restitution', c_double),
        ('restitution_from', c_double),
        ('listed', c_bool),
        ('rolling_friction', c_double),
        ('spinning_friction', c_double),
        ('cohesion', c_double),
    ]
    enums = {}


class zn_force_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('point', zn_attachment),
        ('force', (c_void_p * 3)),
        ('torque', c_void_p),
    ]
    enums = {}


class zn_moment_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('node', zn_node_id),
        ('moment', (c_void_p * 3)),
        ('follower', c_bool),
    ]
    enums = {}


class zn_motor_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('joint', c_char_p),
        ('a', zn_attachment),
        ('b', zn_attachment),
        ('axis', zn_vec3),
        ('torque', c_void_p),
        ('force', c_void_p),
    ]
    enums = {}


class zn_state_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('start', c_double),
        ('rate', c_void_p),
    ]
    enums = {}


class zn_control_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('value', c_void_p),
        ('period', c_double),
        ('delay', c_int),
        ('on', c_double),
        ('off', c_double),
        ('start', c_double),
    ]
    enums = {}


class zn_acceleration_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('part_count', c_int),
        ('parts', POINTER(c_char_p)),
        ('acceleration', (c_void_p * 3)),
    ]
    enums = {}


class zn_pressure_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('part', c_char_p),
        ('face', c_char_p),
        ('value', c_void_p),
        ('follower', c_bool),
    ]
    enums = {}


class zn_spring_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('from', zn_attachment),
        ('to', zn_attachment),
        ('stiffness', c_double),
        ('damping', c_double),
        ('rest_length', c_double),
        ('preload', c_double),
        ('rest', c_void_p),
        ('law', c_void_p),
        ('acts', c_int),
    ]
    enums = {'acts': 'zn_spring_side'}


class zn_torsion_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('from', zn_attachment),
        ('to', zn_attachment),
        ('axis', zn_vec3),
        ('stiffness', c_double),
        ('damping', c_double),
        ('free_angle', c_double),
        ('preload', c_double),
        ('rest', c_void_p),
        ('law', c_void_p),
    ]
    enums = {}


class zn_bushing_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('name', c_char_p),
        ('from', zn_attachment),
        ('to', zn_attachment),
        ('axes', zn_quat),
        ('stiffness', ((c_double * 6) * 6)),
        ('damping', ((c_double * 6) * 6)),
    ]
    enums = {}


class zn_cad_face(Structure):
    _fields_ = [
        ('name', c_char_p),
        ('word', c_char_p),
        ('kind', c_int),
        ('hollow', c_bool),
        ('area', c_double),
        ('at', zn_vec3),
        ('direction', zn_vec3),
        ('along', zn_vec3),
        ('length', c_double),
        ('breadth', c_double),
        ('radius', c_double),
        ('end_radius', c_double),
        ('tube', c_double),
        ('from', c_double),
        ('to', c_double),
        ('angle', c_double),
        ('tube_angle', c_double),
    ]
    enums = {'kind': 'zn_cad_kind'}


class zn_cad_solid(Structure):
    _fields_ = [
        ('name', c_char_p),
        ('volume', c_double),
        ('area', c_double),
        ('centre', zn_vec3),
        ('inertia', zn_mat3),
        ('low', zn_vec3),
        ('high', zn_vec3),
        ('first_triangle', c_int),
        ('triangles', c_int),
        ('face_count', c_int),
        ('faces', POINTER(zn_cad_face)),
    ]
    enums = {}


class zn_cad(Structure):
    _fields_ = [
        ('digest', c_char_p),
        ('triangulation', c_char_p),
        ('solid_count', c_int),
        ('solids', POINTER(zn_cad_solid)),
        ('whole', zn_cad_solid),
        ('memory', c_void_p),
    ]
    enums = {}


class zn_fc_matrix(Structure):
    _fields_ = [
        ('rows', c_int),
        ('columns', c_int),
        ('start', POINTER(c_int)),
        ('column', POINTER(c_int)),
        ('value', POINTER(c_double)),
    ]
    enums = {}


class zn_fc_problem(Structure):
    _fields_ = [
        ('n', c_int),
        ('bilateral', c_int),
        ('contacts', c_int),
        ('first', POINTER(c_int)),
        ('W', POINTER(c_double)),
        ('q', POINTER(c_double)),
        ('mu', POINTER(c_double)),
        ('sparse', POINTER(zn_fc_matrix)),
        ('leader', POINTER(c_int)),
    ]
    enums = {}


class zn_fc_global(Structure):
    _fields_ = [
        ('n', c_int),
        ('rows', c_int),
        ('bilateral', c_int),
        ('contacts', c_int),
        ('first', POINTER(c_int)),
        ('M', POINTER(zn_fc_matrix)),
        ('H', POINTER(zn_fc_matrix)),
        ('f', POINTER(c_double)),
        ('w', POINTER(c_double)),
        ('mu', POINTER(c_double)),
    ]
    enums = {}


class zn_fc_settings(Structure):
    _fields_ = [
        ('solver', c_char_p),
        ('max_iterations', c_int),
        ('tolerance', c_double),
        ('measure', c_int),
        ('keep_best', c_bool),
        ('enough', c_double),
        ('settle', c_bool),
        ('effort', c_double),
        ('time_limit', c_double),
    ]
    enums = {'measure': 'zn_fc_measure'}


class zn_fc_info(Structure):
    _fields_ = [
        ('solver', c_char_p),
        ('iterations', c_int),
        ('residual', c_double),
        ('residual_fclib', c_double),
        ('reason', c_char_p),
    ]
    enums = {}


class zn_range(Structure):
    _fields_ = [
        ('min', c_double),
        ('max', c_double),
        ('open', c_bool),
    ]
    enums = {}


class zn_option(Structure):
    _fields_ = [
        ('name', c_char_p),
        ('kind', c_int),
        ('offset', c_size_t),
        ('range', zn_range),
        ('choices', c_char_p),
        ('unit', c_char_p),
        ('owners', c_char_p),
        ('reason', c_char_p),
        ('effort', c_bool),
        ('help', c_char_p),
    ]
    enums = {'kind': 'zn_option_kind'}


class zn_options(Structure):
    _fields_ = [
        ('count', c_int),
        ('items', POINTER(zn_option)),
        ('defaults', c_void_p),
    ]
    enums = {}


class zn_lcp_problem(Structure):
    _fields_ = [
        ('n', c_int),
        ('bilateral', c_int),
        ('A', POINTER(c_double)),
        ('b', POINTER(c_double)),
    ]
    enums = {}


class zn_lcp_settings(Structure):
    _fields_ = [
        ('solver', c_char_p),
        ('max_iterations', c_int),
        ('tolerance', c_double),
    ]
    enums = {}


class zn_lcp_info(Structure):
    _fields_ = [
        ('solver', c_char_p),
        ('iterations', c_int),
        ('residual', c_double),
    ]
    enums = {}


class zn_observer(Structure):
    _fields_ = [
        ('problem', CFUNCTYPE(None, c_void_p, POINTER(zn_fc_problem), c_char_p, c_double, c_int)),
        ('user', c_void_p),
        ('faults', c_bool),
    ]
    enums = {}


class zn_system_info(Structure):
    _fields_ = [
        ('nq', c_int),
        ('n', c_int),
        ('n_all', c_int),
        ('nodes', c_int),
        ('elements', c_int),
        ('contacts_max', c_int),
        ('contacts_grow', c_bool),
        ('joints', c_int),
        ('parts', c_int),
        ('planar', c_bool),
        ('linear', c_bool),
    ]
    enums = {}


class zn_critical(Structure):
    _fields_ = [
        ('step', c_double),
        ('frequency', c_double),
        ('damping', c_double),
        ('part', c_char_p),
    ]
    enums = {}


class zn_reductions(Structure):
    _fields_ = [
        ('user', c_void_p),
        ('sum', CFUNCTYPE(None, c_void_p, POINTER(c_double), c_int)),
        ('max', CFUNCTYPE(None, c_void_p, POINTER(c_double), c_int)),
    ]
    enums = {}


class zn_halo(Structure):
    _fields_ = [
        ('user', c_void_p),
        ('count', c_int),
        ('dof', POINTER(c_int)),
        ('agree', CFUNCTYPE(c_int, c_void_p, c_int)),
        ('assemble', CFUNCTYPE(None, c_void_p, POINTER(c_double))),
        ('share', CFUNCTYPE(None, c_void_p, POINTER(c_double))),
        ('gather', CFUNCTYPE(None, c_void_p, c_void_p, c_size_t, c_void_p)),
        ('parts', c_int),
        ('owned', POINTER(c_bool)),
        ('solver', CFUNCTYPE(c_int, c_void_p, POINTER(zn_sparse), c_char_p, c_void_p, POINTER(c_void_p))),
    ]
    enums = {}


class zn_contact_set(Structure):
    _fields_ = [
        ('count', c_int),
        ('capacity', c_int),
        ('stride', c_int),
        ('id', POINTER(zn_contact_id)),
        ('bilateral', POINTER(c_bool)),
        ('gap', POINTER(c_double)),
        ('rate', POINTER(c_double)),
        ('restitution', POINTER(c_double)),
        ('friction', POINTER(c_double)),
        ('tangential_restitution', POINTER(c_double)),
        ('restitution_from', POINTER(c_double)),
        ('rolling', POINTER(c_double)),
        ('spinning', POINTER(c_double)),
        ('lever', POINTER(c_double)),
        ('turns', POINTER(c_int)),
        ('has_rows', c_bool),
        ('row_start', POINTER(c_int)),
        ('row_capacity', c_int),
        ('row_dof', POINTER(c_int)),
        ('row_value', POINTER(c_double)),
        ('impulse', POINTER(c_double)),
        ('velocity', POINTER(c_double)),
        ('approach', POINTER(c_double)),
        ('projection', POINTER(c_double)),
        ('piece', POINTER(c_int)),
        ('listed_at', c_double),
        ('captured', c_double),
        ('captured_id', zn_contact_id),
        ('scratch', c_void_p),
    ]
    enums = {}


class zn_state(Structure):
    _fields_ = [
        ('t', c_double),
        ('q', POINTER(c_double)),
        ('v', POINTER(c_double)),
        ('contacts', POINTER(zn_contact_set)),
        ('reaction', POINTER(c_double)),
        ('energy', zn_energy),
        ('whole', c_bool),
    ]
    enums = {}


class zn_scheme_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('scheme', c_char_p),
        ('observer', zn_observer),
        ('theta', c_double),
        ('forecast', c_int),
        ('approach', c_int),
        ('gamma', c_double),
        ('beta', c_double),
        ('metric', c_int),
        ('coupled', c_bool),
        ('frozen_rows', c_bool),
        ('rho_inf', c_double),
        ('neglect', c_bool),
        ('smooth', c_int),
        ('position_friction', c_bool),
        ('characteristic_mass', c_double),
        ('penalty_factor', c_double),
        ('fine', c_char_p),
        ('within', c_double),
        ('ratio', c_int),
        ('fine_implicit', c_bool),
        ('coarse_explicit', c_bool),
        ('newton_tolerance', c_double),
        ('newton_iterations', c_int),
        ('gap_tolerance', c_double),
        ('solver', c_char_p),
        ('solver_tolerance', c_double),
        ('solver_measure', c_int),
        ('linear_solver', c_char_p),
        ('threads', c_int),
        ('contact', c_int),
        ('two_sided', c_bool),
        ('velocity_jump', c_bool),
        ('couple', c_bool),
        ('impact', c_int),
        ('levels', c_char_p),
        ('follow', c_double),
        ('mass_scaling', c_double),
        ('interface', c_int),
        ('coarse', c_char_p),
        ('column_memory', c_double),
    ]
    enums = {'forecast': 'zn_forecast', 'approach': 'zn_approach', 'metric': 'zn_metric', 'smooth': 'zn_smooth', 'solver_measure': 'zn_fc_measure', 'contact': 'zn_contact_form', 'impact': 'zn_impact_law', 'interface': 'zn_interface_way'}


class zn_step_info(Structure):
    _fields_ = [
        ('failed', c_char_p),
        ('newton_iterations', c_int),
        ('projection_iterations', c_int),
        ('activation_iterations', c_int),
        ('solver_iterations', c_int),
        ('failed_solves', c_int),
        ('failed_iterations', c_int),
        ('active', c_int),
        ('newton_residual', c_double),
        ('complementarity', c_double),
        ('velocity_violation', c_double),
        ('joint_velocity', c_double),
        ('coulomb_velocity', c_double),
        ('coulomb_position', c_double),
        ('rolling_velocity', c_double),
        ('rounding_velocity', c_double),
        ('rounding_position', c_double),
        ('shift', c_double),
        ('reach', c_double),
        ('reach_contact', zn_contact_id),
        ('frames', c_int),
        ('segment_changes', c_int),
        ('repeated_sets', c_int),
        ('unfinished_impacts', c_int),
        ('late_contacts', c_int),
        ('added_mass', c_double),
        ('jump_debt', c_double),
        ('ledger', (c_double * 13)),
        ('contact_gave', c_double),
        ('giver_gave', c_double),
        ('giver', zn_contact_id),
    ]
    enums = {}


class zn_scheme_info(Structure):
    _fields_ = [
        ('bounded', c_bool),
        ('split', c_bool),
        ('fine_elements', c_int),
        ('coarse_elements', c_int),
        ('links', c_int),
        ('ratio', c_int),
        ('critical', zn_critical),
        ('added_mass', c_double),
        ('levels', c_int),
        ('level_elements', (c_int * 16)),
        ('coarse_parts', c_int),
    ]
    enums = {}


class zn_equilibrium_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('log', zn_log),
        ('load_steps', c_int),
        ('tolerance', c_double),
        ('newton_iterations', c_int),
        ('linear_solver', c_char_p),
        ('friction', c_bool),
        ('unstable', c_int),
        ('poll', CFUNCTYPE(c_int, c_void_p)),
        ('poll_user', c_void_p),
    ]
    enums = {'unstable': 'zn_unstable'}


class zn_equilibrium_info(Structure):
    _fields_ = [
        ('load_steps', c_int),
        ('increments', c_int),
        ('retries', c_int),
        ('relaxations', c_int),
        ('newton_iterations', c_int),
        ('residual', c_double),
        ('penetration', c_double),
        ('joint', c_double),
        ('coulomb', c_double),
        ('coulomb_contact', zn_contact_id),
        ('load', zn_vec3),
        ('support', zn_vec3),
        ('negative', c_int),
        ('neutral', c_int),
        ('linear_solver', zn_linsolver_info),
    ]
    enums = {}


class zn_modes_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('count', c_int),
        ('linear_solver', c_char_p),
        ('log', zn_log),
        ('friction', c_bool),
    ]
    enums = {}


class zn_mode(Structure):
    _fields_ = [
        ('square', c_double),
        ('frequency', c_double),
        ('mass', zn_vec3),
        ('amplitude', c_double),
        ('shape', POINTER(c_double)),
    ]
    enums = {}


class zn_modes(Structure):
    _fields_ = [
        ('count', c_int),
        ('negative', c_int),
        ('neutral', c_int),
        ('mass', zn_vec3),
        ('mode', POINTER(zn_mode)),
    ]
    enums = {}


class zn_record_def(Structure):
    _fields_ = [
        ('name', c_char_p),
        ('path', c_char_p),
        ('place', c_char_p),
    ]
    enums = {}


class zn_series(Structure):
    _fields_ = [
        ('name', c_char_p),
        ('path', c_char_p),
        ('unit', c_char_p),
        ('components', c_char_p),
        ('offset', c_int),
        ('columns', c_int),
    ]
    enums = {}


class zn_event(Structure):
    _fields_ = [
        ('contact', zn_contact_id),
        ('name', c_char_p),
        ('impact', c_bool),
        ('open', c_bool),
        ('closed_at', c_double),
        ('opened_at', c_double),
        ('impulse', c_double),
        ('peak_force', c_double),
        ('approach', c_double),
        ('pair', c_char_p),
    ]
    enums = {}


class zn_worst(Structure):
    _fields_ = [
        ('value', c_double),
        ('time', c_double),
        ('contact', zn_contact_id),
    ]
    enums = {}


class zn_iterations(Structure):
    _fields_ = [
        ('total', c_int64),
        ('max', c_int),
    ]
    enums = {}


class zn_certificate(Structure):
    _fields_ = [
        ('steps', c_int64),
        ('retries', c_int64),
        ('failed_iterations', c_int64),
        ('penetration', zn_worst),
        ('capture', zn_worst),
        ('velocity', zn_worst),
        ('joint', zn_worst),
        ('joint_velocity', zn_worst),
        ('coulomb_position', zn_worst),
        ('coulomb_velocity', zn_worst),
        ('rolling_velocity', zn_worst),
        ('rounding_position', zn_worst),
        ('rounding_velocity', zn_worst),
        ('shift', zn_worst),
        ('reach', zn_worst),
        ('complementarity', zn_worst),
        ('newton', zn_worst),
        ('closure', zn_worst),
        ('energy_created', zn_worst),
        ('projection', zn_worst),
        ('numerical', zn_worst),
        ('linear_momentum', zn_worst),
        ('angular_momentum', zn_worst),
        ('spin_momentum', zn_worst),
        ('debt', zn_worst),
        ('contact_frames', zn_worst),
        ('segment_changes', zn_worst),
        ('repeated_sets', zn_worst),
        ('unfinished_impacts', zn_worst),
        ('late_contacts', zn_worst),
        ('step_changes', zn_worst),
        ('added_mass', zn_worst),
        ('halved_steps', zn_worst),
        ('failed_solves', zn_worst),
        ('created_line', c_int),
        ('gave', (c_double * 13)),
        ('energy_moved', c_double),
        ('newton_iterations', zn_iterations),
        ('projection_iterations', zn_iterations),
        ('activation_iterations', zn_iterations),
        ('solver_iterations', zn_iterations),
        ('energy_start', c_double),
        ('ledger', (c_double * 13)),
        ('impacts', c_int64),
        ('lasting_contacts', c_int64),
        ('negative', c_double),
        ('unstable_from', c_double),
        ('momentum_start', zn_vec3),
        ('momentum', zn_vec3),
        ('angular_start', zn_vec3),
        ('angular', zn_vec3),
        ('linear_solver', zn_linsolver_info),
        ('loop_seconds', c_double),
    ]
    enums = {'created_line': 'zn_ledger_line'}


class zn_limits(Structure):
    _fields_ = [
        ('penetration', c_double),
        ('capture', c_double),
        ('velocity', c_double),
        ('joint', c_double),
        ('joint_velocity', c_double),
        ('coulomb_position', c_double),
        ('coulomb_velocity', c_double),
        ('rolling_velocity', c_double),
        ('rounding_position', c_double),
        ('rounding_velocity', c_double),
        ('shift', c_double),
        ('reach', c_double),
        ('complementarity', c_double),
        ('newton', c_double),
        ('closure', c_double),
        ('energy_created', c_double),
        ('projection', c_double),
        ('numerical', c_double),
        ('linear_momentum', c_double),
        ('angular_momentum', c_double),
        ('spin_momentum', c_double),
        ('debt', c_double),
        ('contact_frames', c_double),
        ('segment_changes', c_double),
        ('repeated_sets', c_double),
        ('unfinished_impacts', c_double),
        ('late_contacts', c_double),
        ('step_changes', c_double),
        ('added_mass', c_double),
        ('halved_steps', c_double),
        ('failed_solves', c_double),
    ]
    enums = {}


class zn_frame_contact(Structure):
    _fields_ = [
        ('contact', zn_contact_id),
        ('state', c_int),
        ('steps', c_int),
        ('impulse', (c_double * 3)),
    ]
    enums = {'state': 'zn_contact_state'}


class zn_frame(Structure):
    _fields_ = [
        ('t', c_double),
        ('nq', c_int),
        ('n_all', c_int),
        ('q', POINTER(c_double)),
        ('v', POINTER(c_double)),
        ('ledger', POINTER(c_double)),
        ('effort', POINTER(c_double)),
        ('contact_count', c_int),
        ('contacts', POINTER(zn_frame_contact)),
    ]
    enums = {}


class zn_recorder(Structure):
    _fields_ = [
        ('user', c_void_p),
        ('begin', CFUNCTYPE(c_int, c_void_p, c_int, POINTER(zn_series), c_int)),
        ('row', CFUNCTYPE(c_int, c_void_p, c_double, POINTER(c_double))),
        ('event', CFUNCTYPE(c_int, c_void_p, POINTER(zn_event))),
        ('end', CFUNCTYPE(c_int, c_void_p, POINTER(zn_certificate), c_int)),
        ('frame', CFUNCTYPE(c_int, c_void_p, POINTER(zn_frame))),
        ('checkpoint', CFUNCTYPE(c_int, c_void_p, c_double, c_void_p, c_size_t)),
    ]
    enums = {}


class zn_sim_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('scheme', zn_scheme_def),
        ('start', c_double),
        ('step', c_double),
        ('step_cfl', c_double),
        ('until', c_double),
        ('start_at_equilibrium', c_bool),
        ('start_penetration', c_double),
        ('statics', c_bool),
        ('equilibrium', zn_equilibrium_def),
        ('max_subdivisions', c_int),
        ('record_every', c_int),
        ('frames', c_int),
        ('checkpoint_every', c_int),
        ('record_count', c_int),
        ('records', POINTER(zn_record_def)),
        ('limits', zn_limits),
        ('recorder', zn_recorder),
        ('progress', CFUNCTYPE(c_int, c_void_p, c_void_p)),
        ('progress_user', c_void_p),
        ('log', zn_log),
    ]
    enums = {}


class zn_norms(Structure):
    _fields_ = [
        ('uniform', c_double),
        ('l1', c_double),
        ('l2', c_double),
        ('rel_l1', c_double),
    ]
    enums = {}


class zn_order(Structure):
    _fields_ = [
        ('order', c_double),
        ('constant', c_double),
        ('deviation', c_double),
        ('count', c_int),
    ]
    enums = {}


class zn_parameter(Structure):
    _fields_ = [
        ('name', c_char_p),
        ('value', c_double),
    ]
    enums = {}


class zn_import_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('file', c_char_p),
        ('output', c_char_p),
        ('part', c_bool),
        ('hull', c_bool),
        ('free_root', c_bool),
        ('scale', c_double),
        ('density', c_double),
        ('value_count', c_int),
        ('values', POINTER(zn_parameter)),
        ('allow_count', c_int),
        ('allow', POINTER(c_char_p)),
    ]
    enums = {}


class zn_input(Structure):
    _fields_ = [
        ('name', c_char_p),
        ('digest', (c_char * 65)),
        ('text', c_char_p),
        ('drawn', c_bool),
    ]
    enums = {}


class zn_closed_form(Structure):
    _fields_ = [
        ('record', c_char_p),
        ('value', c_void_p),
    ]
    enums = {}


class zn_problem(Structure):
    _fields_ = [
        ('title', c_char_p),
        ('path', c_char_p),
        ('text', c_char_p),
        ('text_size', c_size_t),
        ('parameter_count', c_int),
        ('parameters', POINTER(zn_parameter)),
        ('model', c_void_p),
        ('sim', zn_sim_def),
        ('input_count', c_int),
        ('inputs', POINTER(zn_input)),
        ('closed_form_count', c_int),
        ('closed_forms', POINTER(zn_closed_form)),
        ('memory', c_void_p),
    ]
    enums = {}


class zn_problem_def(Structure):
    _fields_ = [
        ('size', c_size_t),
        ('path', c_char_p),
        ('text', c_char_p),
        ('text_size', c_size_t),
        ('override_count', c_int),
        ('overrides', POINTER(c_char_p)),
        ('allow_count', c_int),
        ('allow', POINTER(c_char_p)),
        ('result', c_bool),
    ]
    enums = {}


class zn_result_series(Structure):
    _fields_ = [
        ('name', c_char_p),
        ('path', c_char_p),
        ('unit', c_char_p),
        ('components', c_char_p),
        ('columns', c_int),
    ]
    enums = {}


class zn_result_event(Structure):
    _fields_ = [
        ('name', (c_char * 64)),
        ('impact', c_bool),
        ('open', c_bool),
        ('closed_at', c_double),
        ('opened_at', c_double),
        ('impulse', c_double),
        ('peak_force', c_double),
        ('approach', c_double),
        ('pair', (c_char * 96)),
    ]
    enums = {}


class zn_fclib_answer(Structure):
    _fields_ = [
        ('r', POINTER(c_double)),
        ('u', POINTER(c_double)),
        ('v', POINTER(c_double)),
    ]
    enums = {}


class zn_fclib_file(Structure):
    _fields_ = [
        ('path', c_char_p),
        ('title', c_char_p),
        ('description', c_char_p),
        ('math_info', c_char_p),
        ('dimension', c_int),
        ('reduced', POINTER(zn_fc_problem)),
        ('global', POINTER(zn_fc_global)),
        ('solution', POINTER(zn_fclib_answer)),
        ('guess_count', c_int),
        ('guesses', POINTER(zn_fclib_answer)),
    ]
    enums = {}


class zn_fclib_text(Structure):
    _fields_ = [
        ('title', c_char_p),
        ('description', c_char_p),
        ('math_info', c_char_p),
    ]
    enums = {}


class zn_scene_block(Structure):
    _fields_ = [
        ('kind', c_char_p),
        ('vtk_type', c_int),
        ('dim', c_int),
        ('nodes', c_int),
        ('first', c_int),
        ('count', c_int),
        ('node', POINTER(c_int)),
        ('part', POINTER(c_int)),
        ('measure', POINTER(c_double)),
        ('face_count', c_int),
        ('face_nodes', c_int),
        ('faces', POINTER(c_int)),
        ('stress_name', c_char_p),
        ('stress_unit', c_char_p),
        ('axes', POINTER(zn_quat)),
    ]
    enums = {}


class zn_scene_part(Structure):
    _fields_ = [
        ('name', c_char_p),
        ('held', c_bool),
        ('height', c_double),
        ('width', c_double),
        ('round', c_bool),
        ('equivalent', c_bool),
    ]
    enums = {}


class zn_scene_body(Structure):
    _fields_ = [
        ('name', c_char_p),
        ('node', c_int),
        ('mass', c_double),
        ('drawing', zn_drawing),
        ('derived', c_bool),
        ('piece', c_bool),
        ('left_out', c_int),
    ]
    enums = {}


class zn_scene_link(Structure):
    _fields_ = [
        ('name', c_char_p),
        ('kind', c_int),
        ('a', zn_attachment),
        ('b', zn_attachment),
    ]
    enums = {'kind': 'zn_link_kind'}


class zn_scene_surface(Structure):
    _fields_ = [
        ('name', c_char_p),
        ('kind', c_int),
        ('node', c_int),
        ('through', zn_vec3),
        ('direction', zn_vec3),
        ('along', zn_vec3),
        ('size', c_double),
        ('half', (c_double * 2)),
        ('taper', c_double),
        ('rim', c_bool),
    ]
    enums = {'kind': 'zn_surface_kind'}


class zn_scene_boundary(Structure):
    _fields_ = [
        ('name', c_char_p),
        ('closed', c_bool),
        ('first', c_int),
        ('count', c_int),
    ]
    enums = {}


class zn_scene_info(Structure):
    _fields_ = [
        ('planar', c_bool),
        ('statics', c_bool),
        ('node_count', c_int),
        ('node_kind', POINTER(c_int)),
        ('reference', POINTER(zn_vec3)),
        ('block_count', c_int),
        ('cell_count', c_int),
        ('blocks', POINTER(zn_scene_block)),
        ('part_count', c_int),
        ('parts', POINTER(zn_scene_part)),
        ('body_count', c_int),
        ('bodies', POINTER(zn_scene_body)),
        ('link_count', c_int),
        ('links', POINTER(zn_scene_link)),
        ('surface_count', c_int),
        ('surfaces', POINTER(zn_scene_surface)),
        ('boundary_count', c_int),
        ('boundary_node_count', c_int),
        ('boundaries', POINTER(zn_scene_boundary)),
        ('boundary_nodes', POINTER(c_int)),
        ('outline_count', c_int),
        ('frame_count', c_int64),
    ]
    enums = {}


class zn_scene_contact(Structure):
    _fields_ = [
        ('id', zn_contact_id),
        ('name', c_char_p),
        ('state', c_int),
        ('gap', c_double),
        ('position', zn_vec3),
        ('normal', zn_vec3),
        ('impulse', zn_vec3),
        ('corners', c_int),
        ('corner', (c_int * 4)),
        ('node', (c_int * 2)),
        ('shape', (c_char_p * 2)),
        ('patch', c_int),
    ]
    enums = {'state': 'zn_contact_state'}


class zn_scene_patch(Structure):
    _fields_ = [
        ('name', c_char_p),
        ('node', (c_int * 2)),
        ('shape', (c_char_p * 2)),
        ('first', c_int),
        ('corners', c_int),
        ('line', c_bool),
        ('normal', zn_vec3),
        ('centre', zn_vec3),
        ('impulse', zn_vec3),
        ('force', c_double),
        ('area', c_double),
        ('pressure', c_double),
    ]
    enums = {}


class zn_scene_frame(Structure):
    _fields_ = [
        ('t', c_double),
        ('position', POINTER(zn_vec3)),
        ('displacement', POINTER(zn_vec3)),
        ('velocity', POINTER(zn_vec3)),
        ('rotation', POINTER(zn_quat)),
        ('spin', POINTER(zn_vec3)),
        ('energy', POINTER(c_double)),
        ('stress', POINTER(c_double)),
        ('outline_size', POINTER(c_int)),
        ('outline', POINTER(zn_vec3)),
        ('contact_count', c_int),
        ('contacts', POINTER(zn_scene_contact)),
        ('patch_count', c_int),
        ('patches', POINTER(zn_scene_patch)),
        ('patch_corners', POINTER(zn_vec3)),
        ('pressure', POINTER(c_double)),
        ('ledger', POINTER(c_double)),
        ('effort', POINTER(c_double)),
    ]
    enums = {}


class zn_curve(Structure):
    _fields_ = [
        ('label', c_char_p),
        ('count', c_int64),
        ('x', POINTER(c_double)),
        ('y', POINTER(c_double)),
        ('colour', c_int),
        ('dash', c_int),
        ('markers', c_bool),
    ]
    enums = {}


class zn_panel(Structure):
    _fields_ = [
        ('label', c_char_p),
        ('log', c_bool),
        ('curve_count', c_int),
        ('curves', POINTER(zn_curve)),
        ('min', c_double),
        ('max', c_double),
    ]
    enums = {}


class zn_figure(Structure):
    _fields_ = [
        ('title', c_char_p),
        ('label', c_char_p),
        ('log', c_bool),
        ('width', c_int),
        ('height', c_int),
        ('panel_count', c_int),
        ('panels', POINTER(zn_panel)),
        ('min', c_double),
        ('max', c_double),
    ]
    enums = {}


class zn_field(Structure):
    _fields_ = [
        ('title', c_char_p),
        ('time_label', c_char_p),
        ('place_label', c_char_p),
        ('label', c_char_p),
        ('width', c_int),
        ('height', c_int),
        ('count', c_int64),
        ('t', POINTER(c_double)),
        ('lines', c_int),
        ('place', POINTER(c_double)),
        ('value', POINTER(c_double)),
    ]
    enums = {}


FUNCTIONS = {
    'zn_version': (c_char_p, []),
    'zn_text_control': (c_char_p, [c_char_p]),
    'zn_text_tame': (None, [c_char_p]),
    'zn_status_text': (c_char_p, [c_int]),
    'zn_arena_create': (c_int, [c_size_t, POINTER(c_void_p)]),
    'zn_arena_create_growing': (c_int, [c_size_t, POINTER(c_void_p)]),
    'zn_arena_destroy': (c_void_p, [c_void_p]),
    'zn_arena_mark': (c_size_t, [c_void_p]),
    'zn_arena_rewind': (None, [c_void_p, c_size_t]),
    'zn_arena_alloc': (c_void_p, [c_void_p, c_size_t, c_size_t]),
    'zn_sin': (c_double, [c_double]),
    'zn_cos': (c_double, [c_double]),
    'zn_sincos': (None, [c_double, POINTER(c_double), POINTER(c_double)]),
    'zn_tan': (c_double, [c_double]),
    'zn_asin': (c_double, [c_double]),
    'zn_acos': (c_double, [c_double]),
    'zn_atan': (c_double, [c_double]),
    'zn_atan2': (c_double, [c_double, c_double]),
    'zn_exp': (c_double, [c_double]),
    'zn_ln': (c_double, [c_double]),
    'zn_log2': (c_double, [c_double]),
    'zn_log10': (c_double, [c_double]),
    'zn_pow': (c_double, [c_double, c_double]),
    'zn_sinh': (c_double, [c_double]),
    'zn_cosh': (c_double, [c_double]),
    'zn_tanh': (c_double, [c_double]),
    'zn_mat3_product': (zn_mat3, [zn_mat3, zn_mat3]),
    'zn_mat3_transpose': (zn_mat3, [zn_mat3]),
    'zn_mat3_skew': (zn_mat3, [zn_vec3]),
    'zn_quat_product': (zn_quat, [zn_quat, zn_quat]),
    'zn_quat_conjugate': (zn_quat, [zn_quat]),
    'zn_quat_normalize': (zn_quat, [zn_quat]),
    'zn_quat_rotate': (zn_vec3, [zn_quat, zn_vec3]),
    'zn_quat_matrix': (zn_mat3, [zn_quat]),
    'zn_so3_exp': (zn_quat, [zn_vec3]),
    'zn_so3_log': (zn_vec3, [zn_quat]),
    'zn_so3_tangent': (zn_mat3, [zn_vec3]),
    'zn_so3_tangent_inverse': (zn_mat3, [zn_vec3]),
    'zn_dense_lu_factor': (c_int, [c_int, POINTER(c_double), POINTER(c_int)]),
    'zn_dense_lu_solve': (None, [c_int, POINTER(c_double), POINTER(c_int), POINTER(c_double)]),
    'zn_dense_ldl_factor': (c_int, [c_int, POINTER(c_double), POINTER(c_int), POINTER(c_int)]),
    'zn_dense_ldl_solve': (None, [c_int, POINTER(c_double), POINTER(c_int), POINTER(c_double)]),
    'zn_sparse_create': (c_int, [c_int, c_int, POINTER(zn_dof_block), POINTER(POINTER(c_int)), POINTER(POINTER(zn_sparse))]),
    'zn_sparse_copy': (c_int, [POINTER(zn_sparse), POINTER(POINTER(zn_sparse))]),
    'zn_sparse_compress': (c_int, [POINTER(zn_sparse), POINTER(POINTER(zn_sparse))]),
    'zn_sparse_destroy': (POINTER(zn_sparse), [POINTER(zn_sparse)]),
    'zn_sparse_clear': (None, [POINTER(zn_sparse)]),
    'zn_sparse_multiply': (None, [POINTER(zn_sparse), POINTER(c_double), POINTER(c_double)]),
    'zn_linsolver_create': (c_int, [POINTER(zn_sparse), c_char_p, POINTER(c_void_p)]),
    'zn_linsolver_destroy': (c_void_p, [c_void_p]),
    'zn_linsolver_factor': (c_int, [c_void_p, POINTER(zn_sparse)]),
    'zn_linsolver_solve': (c_int, [c_void_p, c_int, POINTER(c_double)]),
    'zn_linsolver_get_info': (zn_linsolver_info, [c_void_p]),
    'zn_newton_settings_default': (zn_newton_settings, []),
    'zn_newton_solve': (c_int, [POINTER(zn_newton_problem), POINTER(zn_newton_settings), c_double, POINTER(zn_newton_info)]),
    'zn_model_def_reset': (None, [POINTER(zn_model_def)]),
    'zn_model_create': (c_int, [POINTER(zn_model_def), POINTER(c_void_p)]),
    'zn_model_destroy': (c_void_p, [c_void_p]),
    'zn_model_set_origin': (None, [c_void_p, c_int]),
    'zn_model_validate': (c_int, [c_void_p]),
    'zn_node_def_reset': (None, [POINTER(zn_node_def)]),
    'zn_model_add_node': (c_int, [c_void_p, POINTER(zn_node_def), POINTER(zn_node_id)]),
    'zn_model_find_node': (zn_node_id, [c_void_p, c_char_p]),
    'zn_model_has_name': (c_bool, [c_void_p, c_char_p]),
    'zn_body_def_reset': (None, [POINTER(zn_body_def)]),
    'zn_model_add_body': (c_int, [c_void_p, POINTER(zn_body_def), POINTER(zn_node_id)]),
    'zn_tied_body_def_reset': (None, [POINTER(zn_tied_body_def)]),
    'zn_model_add_tied_body': (c_int, [c_void_p, POINTER(zn_tied_body_def), POINTER(zn_node_id)]),
    'zn_point_def_reset': (None, [POINTER(zn_point_def)]),
    'zn_model_add_point': (c_int, [c_void_p, POINTER(zn_point_def)]),
    'zn_model_find_point': (c_bool, [c_void_p, c_char_p, POINTER(zn_attachment)]),
    'zn_span_def_reset': (None, [POINTER(zn_span_def)]),
    'zn_model_add_span': (c_int, [c_void_p, POINTER(zn_span_def)]),
    'zn_bar_def_reset': (None, [POINTER(zn_bar_def)]),
    'zn_model_add_bar': (c_int, [c_void_p, POINTER(zn_bar_def)]),
    'zn_beam_section_rectangle': (zn_beam_section, [c_double, c_double, c_double]),
    'zn_beam_section_circle': (zn_beam_section, [c_double, c_double]),
    'zn_beam_def_reset': (None, [POINTER(zn_beam_def)]),
    'zn_model_add_beam': (c_int, [c_void_p, POINTER(zn_beam_def)]),
    'zn_mesh_box': (c_int, [zn_vec3, zn_vec3, POINTER(c_int), c_int, POINTER(POINTER(zn_mesh))]),
    'zn_mesh_rectangle': (c_int, [zn_vec3, zn_vec3, POINTER(c_int), POINTER(POINTER(zn_mesh))]),
    'zn_mesh_ring': (c_int, [zn_vec3, c_double, c_double, POINTER(c_int), c_double, POINTER(POINTER(zn_mesh))]),
    'zn_mesh_fine_ring': (c_int, [zn_vec3, c_double, c_double, POINTER(c_int), c_double, c_double, c_double, POINTER(POINTER(zn_mesh))]),
    'zn_mesh_disc': (c_int, [zn_vec3, c_double, c_int, POINTER(POINTER(zn_mesh))]),
    'zn_mesh_graded_disc': (c_int, [zn_vec3, c_double, POINTER(c_int), c_double, c_double, POINTER(POINTER(zn_mesh))]),
    'zn_mesh_ball': (c_int, [zn_vec3, c_double, c_int, c_int, POINTER(POINTER(zn_mesh))]),
    'zn_mesh_destroy': (POINTER(zn_mesh), [POINTER(zn_mesh)]),
    'zn_solid_def_reset': (None, [POINTER(zn_solid_def)]),
    'zn_model_add_solid': (c_int, [c_void_p, POINTER(zn_solid_def)]),
    'zn_model_add_node_set': (c_int, [c_void_p, c_char_p, c_int, POINTER(zn_node_id)]),
    'zn_model_find_node_set': (POINTER(zn_node_id), [c_void_p, c_char_p, POINTER(c_int)]),
    'zn_model_fix_node_set': (c_int, [c_void_p, c_char_p, c_uint]),
    'zn_play_def_reset': (None, [POINTER(zn_play_def)]),
    'zn_joint_def_reset': (None, [POINTER(zn_joint_def)]),
    'zn_model_add_joint': (c_int, [c_void_p, POINTER(zn_joint_def)]),
    'zn_lattice_def_reset': (None, [POINTER(zn_lattice_def)]),
    'zn_model_add_lattice': (c_int, [c_void_p, POINTER(zn_lattice_def)]),
    'zn_model_draw': (c_int, [c_void_p, zn_node_id, POINTER(zn_drawing)]),
    'zn_model_draw_more': (c_int, [c_void_p, zn_node_id, POINTER(zn_drawing)]),
    'zn_lagrangian_def_reset': (None, [POINTER(zn_lagrangian_def)]),
    'zn_model_add_lagrangian': (c_int, [c_void_p, POINTER(zn_lagrangian_def)]),
    'zn_code_system_count': (c_int, []),
    'zn_code_system_at': (POINTER(zn_code_system), [c_int]),
    'zn_contact_def_reset': (None, [POINTER(zn_contact_def)]),
    'zn_model_add_contact': (c_int, [c_void_p, POINTER(zn_contact_def)]),
    'zn_pin_def_reset': (None, [POINTER(zn_pin_def)]),
    'zn_model_add_pin': (c_int, [c_void_p, POINTER(zn_pin_def)]),
    'zn_surfaces_def_reset': (None, [POINTER(zn_surfaces_def)]),
    'zn_model_add_surfaces': (c_int, [c_void_p, POINTER(zn_surfaces_def)]),
    'zn_shape_def_reset': (None, [POINTER(zn_shape_def)]),
    'zn_model_add_shape': (c_int, [c_void_p, POINTER(zn_shape_def)]),
    'zn_model_count_shapes': (c_int, [c_void_p, c_char_p]),
    'zn_material_pair_def_reset': (None, [POINTER(zn_material_pair_def)]),
    'zn_model_add_material_pair': (c_int, [c_void_p, POINTER(zn_material_pair_def)]),
    'zn_model_has_material': (c_bool, [c_void_p, c_char_p]),
    'zn_pairs_def_reset': (None, [POINTER(zn_pairs_def)]),
    'zn_model_add_pairs': (c_int, [c_void_p, POINTER(zn_pairs_def)]),
    'zn_signal_constant': (c_int, [c_double, POINTER(c_void_p)]),
    'zn_signal_series': (c_int, [c_int, POINTER(c_double), POINTER(c_double), POINTER(c_void_p)]),
    'zn_signal_expression': (c_int, [c_char_p, c_int, POINTER(c_char_p), POINTER(c_double), c_char_p, c_size_t, POINTER(c_void_p)]),
    'zn_signal_callback': (c_int, [CFUNCTYPE(c_double, c_void_p, c_double), c_void_p, CFUNCTYPE(None, c_void_p), POINTER(c_void_p)]),
    'zn_signal_feedback': (c_int, [c_void_p, c_char_p, c_int, POINTER(c_char_p), POINTER(c_double), c_char_p, c_size_t, POINTER(c_void_p)]),
    'zn_signal_controller': (c_int, [c_void_p, c_int, POINTER(c_char_p), CFUNCTYPE(c_double, c_void_p, c_double, POINTER(c_double), POINTER(c_double)), c_void_p, CFUNCTYPE(None, c_void_p), c_char_p, c_size_t, POINTER(c_void_p)]),
    'zn_signal_destroy': (c_void_p, [c_void_p]),
    'zn_signal_at': (c_double, [c_void_p, c_double]),
    'zn_signal_is_constant': (c_bool, [c_void_p]),
    'zn_force_def_reset': (None, [POINTER(zn_force_def)]),
    'zn_model_add_force': (c_int, [c_void_p, POINTER(zn_force_def)]),
    'zn_moment_def_reset': (None, [POINTER(zn_moment_def)]),
    'zn_model_add_moment': (c_int, [c_void_p, POINTER(zn_moment_def)]),
    'zn_motor_def_reset': (None, [POINTER(zn_motor_def)]),
    'zn_model_add_motor': (c_int, [c_void_p, POINTER(zn_motor_def)]),
    'zn_state_def_reset': (None, [POINTER(zn_state_def)]),
    'zn_model_add_state': (c_int, [c_void_p, POINTER(zn_state_def)]),
    'zn_model_set_rate': (c_int, [c_void_p, c_char_p, c_void_p]),
    'zn_control_def_reset': (None, [POINTER(zn_control_def)]),
    'zn_model_add_control': (c_int, [c_void_p, POINTER(zn_control_def)]),
    'zn_acceleration_def_reset': (None, [POINTER(zn_acceleration_def)]),
    'zn_model_add_acceleration': (c_int, [c_void_p, POINTER(zn_acceleration_def)]),
    'zn_pressure_def_reset': (None, [POINTER(zn_pressure_def)]),
    'zn_model_add_pressure': (c_int, [c_void_p, POINTER(zn_pressure_def)]),
    'zn_spring_law_table': (c_int, [c_int, POINTER(c_double), POINTER(c_double), POINTER(c_void_p)]),
    'zn_spring_law_formula': (c_int, [c_char_p, c_char_p, c_int, POINTER(c_char_p), POINTER(c_double), c_char_p, c_size_t, POINTER(c_void_p)]),
    'zn_spring_law_callback': (c_int, [CFUNCTYPE(c_double, c_void_p, c_double, c_double, c_double, POINTER(c_double)), c_void_p, CFUNCTYPE(None, c_void_p), POINTER(c_void_p)]),
    'zn_spring_law_destroy': (c_void_p, [c_void_p]),
    'zn_spring_def_reset': (None, [POINTER(zn_spring_def)]),
    'zn_model_add_spring': (c_int, [c_void_p, POINTER(zn_spring_def)]),
    'zn_torsion_def_reset': (None, [POINTER(zn_torsion_def)]),
    'zn_model_add_torsion': (c_int, [c_void_p, POINTER(zn_torsion_def)]),
    'zn_bushing_def_reset': (None, [POINTER(zn_bushing_def)]),
    'zn_model_add_bushing': (c_int, [c_void_p, POINTER(zn_bushing_def)]),
    'zn_cad_read': (c_int, [c_char_p, zn_log, POINTER(POINTER(zn_cad))]),
    'zn_cad_parse': (c_int, [c_char_p, c_size_t, c_char_p, zn_log, POINTER(POINTER(zn_cad))]),
    'zn_cad_destroy': (POINTER(zn_cad), [POINTER(zn_cad)]),
    'zn_file_digest': (c_int, [c_char_p, zn_log, c_char_p]),
    'zn_fc_settings_default': (zn_fc_settings, []),
    'zn_fc_solver_name': (c_char_p, [c_int]),
    'zn_fc_workspace_create': (c_int, [POINTER(c_void_p)]),
    'zn_fc_workspace_destroy': (c_void_p, [c_void_p]),
    'zn_fc_workspace_reserve': (c_int, [c_void_p, c_int, c_int]),
    'zn_fc_solve': (c_int, [POINTER(zn_fc_problem), POINTER(zn_fc_settings), c_void_p, POINTER(c_double), POINTER(c_double), POINTER(zn_fc_info)]),
    'zn_fc_solve_global': (c_int, [POINTER(zn_fc_global), POINTER(zn_fc_settings), c_void_p, POINTER(c_double), POINTER(c_double), POINTER(c_double), POINTER(zn_fc_info)]),
    'zn_fc_reduce': (c_int, [POINTER(zn_fc_global), c_void_p, POINTER(zn_fc_problem)]),
    'zn_fc_check': (c_int, [POINTER(zn_fc_problem), c_char_p, c_size_t]),
    'zn_fc_check_global': (c_int, [POINTER(zn_fc_global), c_char_p, c_size_t]),
    'zn_fc_residual': (c_double, [POINTER(zn_fc_problem), POINTER(c_double)]),
    'zn_fc_residual_fclib': (c_double, [POINTER(zn_fc_problem), POINTER(c_double)]),
    'zn_option_find': (POINTER(zn_option), [zn_options, c_char_p]),
    'zn_option_belongs': (c_bool, [POINTER(zn_option), c_char_p]),
    'zn_option_word': (c_char_p, [POINTER(zn_option), c_int, c_char_p]),
    'zn_option_place': (c_int, [POINTER(zn_option), c_char_p]),
    'zn_option_number': (c_double, [POINTER(zn_option), c_void_p]),
    'zn_option_text': (c_char_p, [POINTER(zn_option), c_void_p, c_char_p]),
    'zn_option_describe': (c_int, [POINTER(zn_option), c_char_p, c_size_t]),
    'zn_lcp_settings_default': (zn_lcp_settings, []),
    'zn_lcp_scratch': (c_size_t, [c_int]),
    'zn_lcp_solve': (c_int, [POINTER(zn_lcp_problem), POINTER(zn_lcp_settings), POINTER(c_double), POINTER(c_double), c_void_p, POINTER(zn_lcp_info)]),
    'zn_lcp_residual': (c_double, [POINTER(zn_lcp_problem), POINTER(c_double)]),
    'zn_system_create': (c_int, [c_void_p, POINTER(c_void_p)]),
    'zn_system_destroy': (c_void_p, [c_void_p]),
    'zn_system_get_info': (zn_system_info, [c_void_p]),
    'zn_system_force': (c_int, [c_void_p, zn_at, POINTER(c_double)]),
    'zn_system_inertia': (c_int, [c_void_p, POINTER(c_double), POINTER(c_double), POINTER(c_double)]),
    'zn_system_matrix': (c_int, [c_void_p, POINTER(POINTER(zn_sparse))]),
    'zn_system_operators': (c_int, [c_void_p, zn_at, c_double, c_double, c_double, POINTER(zn_sparse)]),
    'zn_system_energy': (c_int, [c_void_p, zn_at, POINTER(zn_energy)]),
    'zn_system_part_energy': (c_int, [c_void_p, zn_at, c_int, POINTER(zn_energy)]),
    'zn_system_power': (c_int, [c_void_p, zn_at, POINTER(c_double), POINTER(zn_power)]),
    'zn_system_momentum': (c_int, [c_void_p, zn_at, c_int, POINTER(c_double), POINTER(zn_vec3), POINTER(zn_vec3)]),
    'zn_system_retract': (None, [c_void_p, POINTER(c_double), POINTER(c_double), POINTER(c_double)]),
    'zn_system_difference': (None, [c_void_p, POINTER(c_double), POINTER(c_double), POINTER(c_double)]),
    'zn_system_tangent': (None, [c_void_p, POINTER(c_double), POINTER(c_double), POINTER(c_double)]),
    'zn_system_tangent_inverse': (None, [c_void_p, POINTER(c_double), POINTER(c_double), POINTER(c_double)]),
    'zn_system_resolution': (c_double, [c_void_p, POINTER(c_double), POINTER(c_double)]),
    'zn_system_critical_step': (c_int, [c_void_p, zn_at, POINTER(zn_critical)]),
    'zn_system_critical_power': (c_int, [c_void_p, zn_at, c_double, POINTER(zn_critical)]),
    'zn_system_set_halo': (None, [c_void_p, POINTER(zn_halo)]),
    'zn_system_set_reductions': (None, [c_void_p, zn_reductions]),
    'zn_system_dot': (c_double, [c_void_p, POINTER(c_double), POINTER(c_double)]),
    'zn_system_relative_norm': (c_double, [c_void_p, POINTER(c_double), POINTER(c_double)]),
    'zn_system_sum': (c_double, [c_void_p, c_double]),
    'zn_system_max': (c_double, [c_void_p, c_double]),
    'zn_contact_set_create': (c_int, [c_void_p, POINTER(POINTER(zn_contact_set))]),
    'zn_contact_set_destroy': (POINTER(zn_contact_set), [POINTER(zn_contact_set)]),
    'zn_contact_set_copy': (c_int, [POINTER(zn_contact_set), POINTER(zn_contact_set)]),
    'zn_contact_set_refresh': (c_int, [POINTER(zn_contact_set), c_void_p, POINTER(c_double), c_double]),
    'zn_contact_set_evaluate': (c_int, [POINTER(zn_contact_set), c_void_p, POINTER(c_double), c_double]),
    'zn_contact_set_gaps': (c_int, [POINTER(zn_contact_set), c_void_p, POINTER(c_double), c_double, POINTER(c_double)]),
    'zn_contact_set_slip': (c_int, [POINTER(zn_contact_set), c_void_p, POINTER(c_double), c_double, POINTER(c_double), c_double, POINTER(c_double)]),
    'zn_contact_set_curvature': (c_int, [POINTER(zn_contact_set), c_void_p, POINTER(c_double), c_double, POINTER(c_double), POINTER(c_double), POINTER(c_double)]),
    'zn_contact_name': (c_char_p, [c_void_p, zn_contact_id]),
    'zn_state_create': (c_int, [c_void_p, POINTER(POINTER(zn_state))]),
    'zn_state_update': (c_int, [c_void_p, POINTER(zn_state)]),
    'zn_state_destroy': (POINTER(zn_state), [POINTER(zn_state)]),
    'zn_state_copy': (c_int, [c_void_p, POINTER(zn_state), POINTER(zn_state)]),
    'zn_scheme_def_reset': (None, [POINTER(zn_scheme_def)]),
    'zn_scheme_options': (zn_options, []),
    'zn_ledger_name': (c_char_p, [c_int]),
    'zn_ledger_help': (c_char_p, [c_int]),
    'zn_scheme_count': (c_int, []),
    'zn_scheme_name': (c_char_p, [c_int]),
    'zn_scheme_help': (c_char_p, [c_int]),
    'zn_scheme_ledger_note': (c_char_p, [c_char_p]),
    'zn_scheme_create': (c_int, [POINTER(zn_scheme_def), c_void_p, POINTER(c_void_p)]),
    'zn_scheme_destroy': (c_void_p, [c_void_p]),
    'zn_scheme_step': (c_int, [c_void_p, POINTER(zn_state), c_double, POINTER(zn_step_info)]),
    'zn_scheme_history_size': (c_int, [c_void_p]),
    'zn_scheme_history_save': (None, [c_void_p, POINTER(c_double)]),
    'zn_scheme_history_load': (c_int, [c_void_p, POINTER(c_double), c_int]),
    'zn_scheme_linsolver_info': (zn_linsolver_info, [c_void_p]),
    'zn_scheme_describe': (c_int, [POINTER(zn_scheme_def), c_void_p, c_double, POINTER(zn_scheme_info)]),
    'zn_equilibrium_def_reset': (None, [POINTER(zn_equilibrium_def)]),
    'zn_equilibrium_options': (zn_options, []),
    'zn_equilibrium_solve': (c_int, [c_void_p, POINTER(zn_equilibrium_def), POINTER(zn_state), POINTER(zn_equilibrium_info)]),
    'zn_modes_def_reset': (None, [POINTER(zn_modes_def)]),
    'zn_modes_find': (c_int, [c_void_p, POINTER(zn_modes_def), POINTER(zn_state), POINTER(POINTER(zn_modes))]),
    'zn_modes_destroy': (POINTER(zn_modes), [POINTER(zn_modes)]),
    'zn_quantity_count': (c_int, []),
    'zn_quantity_describe': (None, [c_int, POINTER(c_char_p), POINTER(c_char_p), POINTER(c_char_p), POINTER(c_char_p)]),
    'zn_sim_def_reset': (None, [POINTER(zn_sim_def)]),
    'zn_sim_def_resolve': (c_int, [c_void_p, POINTER(zn_sim_def)]),
    'zn_sim_create': (c_int, [c_void_p, POINTER(zn_sim_def), POINTER(c_void_p)]),
    'zn_sim_destroy': (c_void_p, [c_void_p]),
    'zn_sim_restart': (c_int, [c_void_p, c_void_p, c_size_t]),
    'zn_sim_step': (c_int, [c_void_p]),
    'zn_sim_run': (c_int, [c_void_p]),
    'zn_sim_get_def': (POINTER(zn_sim_def), [c_void_p]),
    'zn_sim_state': (POINTER(zn_state), [c_void_p]),
    'zn_sim_certificate': (POINTER(zn_certificate), [c_void_p]),
    'zn_sim_last_step': (POINTER(zn_step_info), [c_void_p]),
    'zn_sim_equilibrium': (POINTER(zn_equilibrium_info), [c_void_p]),
    'zn_sim_grid_steps': (c_int64, [c_void_p]),
    'zn_sim_grid_index': (c_int64, [c_void_p]),
    'zn_sim_values': (c_int, [c_void_p, POINTER(c_double)]),
    'zn_sim_columns': (c_int, [c_void_p]),
    'zn_sim_series_count': (c_int, [c_void_p]),
    'zn_sim_series': (POINTER(zn_series), [c_void_p]),
    'zn_limits_none': (zn_limits, []),
    'zn_sim_refuse_limits': (c_int, [c_void_p]),
    'zn_certificate_is_created': (c_bool, [POINTER(zn_certificate)]),
    'zn_certificate_reaches_far': (c_bool, [POINTER(zn_certificate)]),
    'zn_certificate_check': (c_int, [POINTER(zn_certificate), POINTER(zn_limits), c_void_p, POINTER(zn_log)]),
    'zn_error_norms': (c_int, [c_int64, c_double, POINTER(c_double), POINTER(c_double), POINTER(zn_norms)]),
    'zn_graph_distance': (c_int, [c_int64, POINTER(c_double), POINTER(c_double), POINTER(c_double), c_double, c_double, POINTER(c_double)]),
    'zn_fit_order': (c_int, [c_int, POINTER(c_double), POINTER(c_double), POINTER(zn_order)]),
    'zn_study_steps': (None, [c_int, c_double, c_double, c_bool, POINTER(c_double)]),
    'zn_interpolate': (c_double, [c_int64, POINTER(c_double), POINTER(c_double), c_int, c_double]),
    'zn_new_file_open': (c_int, [c_char_p, zn_log, POINTER(c_void_p)]),
    'zn_new_file_stream': (c_void_p, [c_void_p]),
    'zn_new_file_close': (c_int, [c_void_p, c_int]),
    'zn_import_def_reset': (None, [POINTER(zn_import_def)]),
    'zn_import': (c_int, [POINTER(zn_import_def), zn_log, c_void_p]),
    'zn_problem_read': (c_int, [c_char_p, c_int, POINTER(c_char_p), zn_log, POINTER(POINTER(zn_problem))]),
    'zn_problem_parse': (c_int, [c_char_p, c_size_t, c_char_p, c_int, POINTER(c_char_p), zn_log, POINTER(POINTER(zn_problem))]),
    'zn_problem_from_result': (c_int, [c_char_p, c_int, POINTER(c_char_p), zn_log, POINTER(POINTER(zn_problem))]),
    'zn_problem_def_reset': (None, [POINTER(zn_problem_def)]),
    'zn_problem_create': (c_int, [POINTER(zn_problem_def), zn_log, POINTER(POINTER(zn_problem))]),
    'zn_problem_destroy': (POINTER(zn_problem), [POINTER(zn_problem)]),
    'zn_problem_bytes': (c_double, [POINTER(zn_problem), POINTER(zn_scheme_def)]),
    'zn_problem_check_room': (c_int, [POINTER(zn_problem), POINTER(zn_scheme_def), zn_log]),
    'zn_problem_reference': (c_void_p, []),
    'zn_result_writer_create': (c_int, [c_char_p, POINTER(zn_problem), POINTER(zn_sim_def), c_char_p, zn_log, POINTER(c_void_p)]),
    'zn_result_writer_destroy': (c_void_p, [c_void_p]),
    'zn_result_writer_limit': (None, [c_void_p, c_double]),
    'zn_result_writer_recorder': (zn_recorder, [c_void_p]),
    'zn_restart_open': (c_int, [c_char_p, POINTER(zn_problem), POINTER(zn_sim_def), POINTER(c_void_p)]),
    'zn_restart_close': (c_void_p, [c_void_p]),
    'zn_restart_data': (c_void_p, [c_void_p, POINTER(c_size_t)]),
    'zn_restart_rehearse': (c_int, [c_char_p]),
    'zn_result_writer_continue': (c_int, [c_char_p, POINTER(zn_problem), POINTER(zn_sim_def), c_char_p, c_void_p, zn_log, POINTER(c_void_p)]),
    'zn_result_open': (c_int, [c_char_p, zn_log, POINTER(c_void_p)]),
    'zn_result_close': (c_void_p, [c_void_p]),
    'zn_result_allow': (c_int, [c_void_p, c_char_p]),
    'zn_result_is_finished': (c_bool, [c_void_p]),
    'zn_result_rows': (c_int64, [c_void_p]),
    'zn_result_series_count': (c_int, [c_void_p]),
    'zn_result_series_at': (zn_result_series, [c_void_p, c_int]),
    'zn_result_find': (c_int, [c_void_p, c_char_p]),
    'zn_result_time': (c_int, [c_void_p, POINTER(c_double)]),
    'zn_result_read': (c_int, [c_void_p, c_int, POINTER(c_double)]),
    'zn_result_event_count': (c_int64, [c_void_p]),
    'zn_result_events': (c_int, [c_void_p, POINTER(zn_result_event)]),
    'zn_result_text': (c_char_p, [c_void_p, c_char_p]),
    'zn_result_number': (c_double, [c_void_p, c_char_p]),
    'zn_result_checkpoint_time': (c_double, [c_void_p]),
    'zn_result_export_csv': (c_int, [c_void_p, c_char_p]),
    'zn_result_evaluate': (c_int, [c_void_p, c_char_p, POINTER(c_double), c_char_p, c_size_t]),
    'zn_result_unit': (c_char_p, [c_void_p, c_char_p]),
    'zn_fclib_read': (c_int, [c_char_p, zn_log, POINTER(POINTER(zn_fclib_file))]),
    'zn_fclib_destroy': (POINTER(zn_fclib_file), [POINTER(zn_fclib_file)]),
    'zn_fclib_write': (c_int, [c_char_p, POINTER(zn_fc_problem), POINTER(zn_fclib_text), zn_log]),
    'zn_fclib_write_global': (c_int, [c_char_p, POINTER(zn_fc_global), POINTER(zn_fclib_text), zn_log]),
    'zn_fclib_write_solution': (c_int, [c_char_p, POINTER(zn_fclib_file), POINTER(zn_fclib_answer), zn_log]),
    'zn_scene_open': (c_int, [c_void_p, zn_log, POINTER(c_void_p)]),
    'zn_scene_close': (c_void_p, [c_void_p]),
    'zn_scene_get_info': (zn_scene_info, [c_void_p]),
    'zn_scene_read': (c_int, [c_void_p, c_int64, POINTER(zn_scene_frame)]),
    'zn_scene_read_ledger': (c_int, [c_void_p, c_int64, POINTER(zn_scene_frame)]),
    'zn_scene_export_vtu': (c_int, [c_void_p, c_char_p]),
    'zn_scene_export_xdmf': (c_int, [c_void_p, c_char_p]),
    'zn_report_write': (c_int, [c_char_p, c_int, POINTER(c_void_p), c_int, POINTER(c_char_p), zn_log]),
    'zn_figure_write': (c_int, [POINTER(zn_figure), c_char_p, zn_log]),
    'zn_field_write': (c_int, [POINTER(zn_field), c_char_p, zn_log]),
}
