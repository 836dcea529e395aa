// Where each part stands, for the pictures and for the check that no two parts intersect. Table top: z = 0; its edge:
// x = 0; y runs along the edge. Lines: [name, part, move, turn, how far it flies in the exploded view].
include <parameters.scad>

channel = tube + fit;
mast_x = -spine - channel / 2;
mast_y = clamp_width / 2 - (clamp_width - channel_depth + tube / 2);
clamp_low = pad - throat - jaw_bottom;
mast = printed_tubes ? 2 * tube_length + mast_middles * tube_middle : mast_length;
arm_reach = printed_tubes ? arm_tubes * tube_length : arm_length;
mast_top = clamp_low + mast;
arm_x = mast_x - tube / 2;
arm_end = arm_x + arm_reach;
arm_z = mast_top + tube / 2;
inset = tube / 2 - (bore - 2 * fit) / 2;         // from a tube's face to the splice or plug in it
pivot = [arm_end - hole_first + pivot_out, arm_z - pivot_drop];
camera_z = pivot[1] - pivot_height;
lens_z = camera_z - spacer - lens_drop;
cap_at = [pad + jaw_top - 16, clamp_low + 16];
foot_top = -table_thickness - pad;
bolt_tip = foot_top - foot_floor - 0.1;
head_seat = bolt_tip - clamp_bolt;
up = 160;                                        // how far the corner flies

// The saddle's bolts sit in the third and fourth hole from the arm's end; in front of its plate stands the case.
saddle_x = arm_end - hole_third + saddle_reach;
case_x = saddle_x;
case_z = arm_z + tube / 2 + case_gap + case_height / 2;
lid_x = case_x + case_depth + lid;
pi_in = case_x + case_wall + pi_post_height;     // underside of the Pi
pi_mid = [mast_y + pi_x, case_z + pi_y];

// joints of a printed mast, from below
function joint(n) = clamp_low + tube_length + n * tube_middle;

// Bolts along y: name, where the head's underside lies, part, how far it flies.
function across(part, x, y, z, flight) = ["bolt", part, [x, y, z], [-90, 0, 0], flight];
near = mast_y - tube / 2;
bolts = concat(
    printed_tubes ? concat(
    [for (n = [0:1:mast_middles]) for (d = [-hole_second, -hole_first, hole_first, hole_second])
        across("shown_m5x40", mast_x, near, joint(n) + d, [90, -70, 0])],
    [for (n = [1:1:arm_tubes - 1]) for (d = [-hole_second, -hole_first, hole_first, hole_second])
        across("shown_m5x40", arm_x + n * tube_length + d, near, arm_z, [30, -70, up])]) : [],
    [for (d = [hole_first, hole_second, hole_third])
        across("shown_m5x50_42", mast_x, near - gusset, mast_top - d, [0, -110, up])],
    [for (d = [hole_first, hole_second, hole_third])
        across("shown_m5x50_42", arm_x + d, near - gusset, arm_z, [0, -110, up])],
    [for (d = [hole_first, hole_second])
        across("shown_m5x50_40", arm_end - d, near - ear, arm_z, [170, -100, up])],
    [for (d = [hole_third, hole_fourth])
        across("shown_m5x50_41", arm_end - d, mast_y - (tube + fit) / 2 - saddle_cheek, arm_z, [100, -110, 2 * up])],
    [for (d = [0, 16]) across("shown_m4x50", pivot[0], near - ear - 0.8, pivot[1] + d, [170, -100, up - 60])],
    [for (z = cap_at) for (side = [-1, 1])
        across("shown_m5x50_44", mast_x + side * (channel + flank) / 2, near - cap_thickness, z, [0, -100, 0])],
    [for (z = [-1, 1]) ["bolt", "shown_m4x16", [case_x + case_wall, mast_y, case_z + z * saddle_bolt / 2], [0, -90, 0],
        [150, 0, 2 * up]]],
    [for (x = [-1, 1]) for (y = [-1, 1]) ["screw", "shown_m2x16",
        [pivot[0] + x * camera_hole_y / 2, mast_y + y * camera_hole_x / 2, camera_z - spacer - 1.1], [0, 0, 0],
        [170, 0, up - 150]]]
);

// What a printed mast and arm are made of, and what a bought tube takes.
tubes = printed_tubes ? concat([
    ["tube", "tube", [mast_x + tube / 2, mast_y, clamp_low], [0, -90, 0], [0, 0, 110]],
    ["tube", "tube", [mast_x + tube / 2, mast_y, mast_top - tube_length], [0, -90, 0], [0, 0, 110]],
    ["splice", "splice", [mast_x + tube / 2 - inset, mast_y, mast_top - splice_length], [0, -90, 0], [0, 0, up]],
    ["splice", "splice", [arm_x, mast_y, arm_z - tube / 2 + inset], [0, 0, 0], [-60, 0, up]]
    ], [for (n = [0:1:mast_middles - 1]) ["middle tube", "tube_middle", [mast_x + tube / 2, mast_y, joint(n)], [0, -90, 0],
        [0, 0, 110]]],
    [for (n = [0:1:mast_middles]) ["splice", "splice",
        [mast_x + tube / 2 - inset, mast_y, joint(n) - splice_length / 2], [0, -90, 0], [90, 0, 110]]],
    [for (n = [0:1:arm_tubes - 1]) ["tube", "tube", [arm_x + n * tube_length, mast_y, mast_top], [0, 0, 0], [30, 0, up]]],
    [for (n = [1:1:arm_tubes - 1]) ["splice", "splice",
        [arm_x + n * tube_length - splice_length / 2, mast_y, arm_z - tube / 2 + inset], [0, 0, 0], [30, 0, 2 * up]]]
) : [
    ["mast", "shown_mast", [mast_x + tube / 2, mast_y, clamp_low], [0, -90, 0], [0, 0, 0]],
    ["arm", "shown_arm", [arm_x, mast_y, mast_top], [0, 0, 0], [30, 0, up]],
    ["plug", "plug", [mast_x - tube / 2 + inset, mast_y, mast_top], [0, 90, 0], [0, 0, up]],
    ["plug", "plug", [mast_x + tube / 2 - inset, mast_y, clamp_low], [0, -90, 0], [0, 0, -200]],
    ["plug", "plug", [arm_x, mast_y, arm_z - tube / 2 + inset], [0, 0, 0], [-110, 0, up]],
    ["plug", "plug", [arm_end, mast_y, arm_z + tube / 2 - inset], [0, 180, 0], [150, 0, up + 20]]
];

stand = concat([
    ["table", "shown_table", [0, 0, 0], [0, 0, 0], [0, 0, 0]],
    ["clamp", "clamp", [0, clamp_width / 2, pad], [90, 0, 0], [0, 0, 0]],
    ["jaw pad", "jaw_pad", [0, 0, 0], [0, 0, 0], [70, 0, 15]],
    ["pressure foot pad", "foot_pad", [clamp_bolt_x, 0, -table_thickness - pad], [0, 0, 0], [0, 0, -125]],
    ["pressure foot", "foot", [clamp_bolt_x, 0, foot_top], [180, 0, 0], [0, 0, -140]],
    ["M8 bolt", "shown_bolt", [clamp_bolt_x, 0, head_seat - 5.3], [0, 0, 0], [0, 0, -190]],
    ["knob", "knob", [clamp_bolt_x, 0, head_seat + 10], [180, 0, 0], [0, 0, -230]],
    ["cap", "cap", [mast_x, mast_y - tube / 2, cap_at[0]], [90, 0, 0], [0, -60, 0]],
    ["cap", "cap", [mast_x, mast_y - tube / 2, cap_at[1]], [90, 0, 0], [0, -60, 0]],
    ["gusset", "gusset", [mast_x, mast_y - tube / 2, mast_top], [90, 0, 0], [0, -80, up]],
    ["gusset", "gusset", [mast_x, mast_y + tube / 2 + gusset, mast_top], [90, 0, 0], [0, 80, up]],
    ["saddle", "saddle", [saddle_x, mast_y, arm_z], [90, 0, -90], [60, 0, 2 * up]],
    ["case base", "case_base", [case_x, mast_y, case_z], [90, 0, 90], [130, 0, 2 * up]],
    ["case lid", "case_lid", [lid_x, mast_y, case_z], [90, 0, -90], [380, 0, 2 * up]],
    ["Pi", "shown_pi", [pi_in, pi_mid[0], pi_mid[1]], [90, 0, 90], [200, 0, 2 * up]],
    ["wires on the header", "shown_header_plugs", [pi_in, pi_mid[0], pi_mid[1]], [90, 0, 90], [230, 0, 2 * up]],
    ["supply plug", "shown_usb_c", [pi_in + 3.2, pi_mid[0] + usb_c_x, pi_mid[1] - 29.5], [180, 0, 90], [200, 0, 2 * up - 60]],
    ["panel's USB plug", "shown_usb_a", [pi_in + 1.6 + 4.5, pi_mid[0] + 55.1, pi_mid[1] + 8], [0, 90, 90], [200, 90, 2 * up]],
    ["display", "shown_display", [lid_x - lid, mast_y + 16, case_z + 4], [90, 0, -90], [320, 0, 2 * up]],
    ["display bar", "display_bar", [lid_x - lid - 5, mast_y - 18, case_z + 4], [-90, 0, 90], [270, 0, 2 * up]],
    ["display bar", "display_bar", [lid_x - lid - 5, mast_y + 50, case_z + 4], [90, 0, -90], [270, 0, 2 * up]],
    ["cradle", "cradle", [pivot[0], mast_y, camera_z], [0, 0, 0], [170, 0, up - 60]],
    ["camera", "shown_camera", [pivot[0], mast_y, camera_z], [0, 0, 0], [170, 0, up - 110]],
    ["ear", "ear", [arm_end - hole_first, mast_y - tube / 2, arm_z], [90, 0, 0], [170, -60, up]],
    ["ear", "ear", [arm_end - hole_first, mast_y + tube / 2 + ear, arm_z], [90, 0, 0], [170, 60, up]],
    ["clip", "clip", [mast_x, mast_y, 190], [0, 0, 90], [-70, 0, 0]],
    ["clip", "clip", [mast_x, mast_y, mast_top - 105], [0, 0, 90], [-70, 0, 0]],
    ["clip", "clip", [arm_x + 100, mast_y, arm_z], [90, 0, 90], [30, 0, up + 50]]
], [for (n = [-1, 0, 1]) ["button", "shown_button", [lid_x, mast_y - 51, case_z + 6 - n * button_pitch], [90, 0, -90],
        [440, 0, 2 * up]]],
   tubes, bolts);

// The other lid with the wide display (D3), which the tournament build takes.
case_wide = concat([
    ["case base", "case_base", [case_x, mast_y, case_z], [90, 0, 90], [0, 0, 0]],
    ["case lid", "case_lid_wide", [lid_x, mast_y, case_z], [90, 0, -90], [180, 0, 0]],
    ["display", "shown_display_wide", [lid_x - lid, mast_y + 16, case_z + 4], [90, 0, -90], [130, 0, 0]],
    ["display bar", "display_bar", [lid_x - lid - 5, mast_y - 18, case_z + 4], [-90, 0, 90], [90, 0, 0]],
    ["display bar", "display_bar", [lid_x - lid - 5, mast_y + 50, case_z + 4], [90, 0, -90], [90, 0, 0]]
], [for (n = [-1, 0, 1]) ["button", "shown_button", [lid_x, mast_y - 51, case_z + 6 - n * button_pitch], [90, 0, -90],
        [240, 0, 0]]]);

panel_h = panel_rows * panel_row_pitch + 2 * panel_margin;
panel_w = panel_columns * panel_pitch + 2 * panel_margin;
panel_at = [70, 0];
normal = [cos(panel_lean), 0, sin(panel_lean)];
rise = [-sin(panel_lean), 0, cos(panel_lean)];
back_at = [panel_at[0] - panel_h / 2 * sin(panel_lean), panel_at[1], pad + 8 + panel_h / 2 * cos(panel_lean)];
carrier_at = back_at + normal * (panel_back_depth + panel_carrier);
front_at = carrier_at + normal * panel_front_depth;
face_on = [90 + panel_lean, 0, -90];
// A place inside the back: x along the table's edge, y up the panel, z from the back's outer face.
function inside(x, y, z) = back_at + [0, x, 0] + rise * y + normal * z;
into = [90 - panel_lean, 0, 90];

panel = concat([
    ["table", "shown_table", [0, 0, 0], [0, 0, 0], [0, 0, 0]],
    ["face", "panel_face", front_at + normal * 1.5 * paper, face_on, normal * 240],
    ["paper legend", "shown_legend", front_at - normal * (panel_face - 1.25 * paper), face_on, normal * 195],
    ["wells", "panel_wells", front_at - normal * panel_face, face_on, normal * 140],
    ["carrier with the strip", "panel_carrier", carrier_at, face_on, normal * 70],
    ["Pico", "shown_pico", inside(pico_x, pico_y, pico_post), into, normal * 22],
    ["bar", "pico_bar", inside(pico_x, pico_y, pico_post + 1), into, normal * 38],
    ["Pico's USB plug", "shown_micro_usb", inside(pico_x - 26.9, pico_y, pico_post - 1.35), [90, -panel_lean, 0],
        [0, -60, 0]],
    ["perforated board", "shown_k3", inside(k3_x, k3_y, 2.4 + 0.5), into, normal * 30],
    ["back", "panel_back", back_at, into, [0, 0, 0]]
], [for (side = [-1, 1]) ["leg", "panel_leg", [panel_at[0], panel_at[1] + side * 62 - 6, pad], [90, 0, 180], [-70, 0, 0]]],
   [for (side = [-1, 1]) for (x = [41, -84]) ["leg pad", "leg_pad", [panel_at[0] + x, panel_at[1] + side * 62, 0], [0, 0, 0],
        [-70, 0, -30]]]);

wood_top = wood_post - wood_foot;                // the arm's underside
wood_end = wood_arm - wood_wide;                 // the arm's end
brace_at = [0, wood_top - wood_brace / sqrt(2)];
wood_camera = [wood_end + wood_head_out / 2, wood_top - wood_thick];
zero_at = [wood_end - 85, -wood_thick / 2 - 5, wood_top + wood_wide / 2];

wood = concat([
    ["table", "shown_table", [0, 0, 0], [0, 0, 0], [0, 0, 0]],
    ["post", "shown_post", [0, -wood_thick / 2, -wood_foot], [0, -90, 0], [0, 0, 0]],
    ["second batten", "shown_post_beside", [0, -1.5 * wood_thick, -wood_foot], [0, -90, 0], [-60, -90, 0]],
    ["tongue", "shown_tongue", [0, wood_wide / 2, 0], [90, 0, 0], [60, 0, 0]],
    ["arm", "shown_wood_arm", [-wood_wide, -wood_thick / 2, wood_top], [0, 0, 0], [0, 0, 80]],
    ["brace", "shown_brace", [brace_at[0], wood_thick / 2, brace_at[1]], [0, -45, 0], [70, 0, -20]],
    ["angle", "shown_angle", [0, -wood_angle_width / 2, wood_thick], [0, 0, 0], [60, 0, 60]],
    ["angle", "shown_angle", [0, wood_angle_width / 2, wood_top], [180, 0, 0], [30, 0, 20]],
    ["head block", "shown_head", [wood_end + wood_head_out - wood_head, wood_wide / 2, wood_top - wood_thick], [90, 0, 0],
        [60, 0, -30]],
    ["camera", "shown_camera", [wood_camera[0], 0, wood_camera[1]], [0, 0, 0], [60, 0, -80]],
    ["Pi Zero", "shown_pi_zero", zero_at, [90, 0, 0], [0, -90, 80]],
    ["supply plug", "shown_micro_usb", zero_at + [21.5, -2.7, -16.1], [180, 0, 90], [0, -90, 20]],
    ["breadboard", "shown_breadboard", [wood_end - 235, -wood_thick / 2, wood_top + wood_wide / 2], [90, 0, 0],
        [-60, -90, 80]],
    ["G-clamp", "shown_g_clamp", [34, 18.6, -23], [0, 0, 0], [0, 90, 0]]
],
    // the camera's bolts: heads below its board, nuts on the block
    [for (x = [-1, 1]) for (y = [-1, 1]) ["bolt", "shown_m2x30",
        [wood_camera[0] + x * camera_hole_y / 2, y * camera_hole_x / 2, wood_camera[1] - spacer - 1.1], [0, 0, 0], [60, 0, -110]]],
    // angles: tongue and post, arm and post
    [for (at = [25, 60]) ["screw", "shown_wood_4x16", [at, 0, wood_thick + wood_angle_steel], [180, 0, 0], [60, 0, 90]]],
    [for (at = [25, 60]) ["screw", "shown_wood_4x16", [wood_angle_steel, 0, wood_thick + at], [0, -90, 0], [90, 0, 60]]],
    [for (at = [25, 60]) ["screw", "shown_wood_4x16", [at, 0, wood_top - wood_angle_steel], [0, 0, 0], [30, 0, -10]]],
    [for (at = [25, 60]) ["screw", "shown_wood_4x16", [wood_angle_steel, 0, wood_top - at], [0, -90, 0], [60, 0, 20]]],
    // the brace: through it at right angles to post and arm, at two depths
    [for (t = [20, 40]) ["screw", "shown_wood_4x60", [t, 0, brace_at[1] + t], [0, -90, 0], [90, 0, -20]]],
    [for (t = [20, 40]) ["screw", "shown_wood_4x60", [wood_brace / sqrt(2) - t, 0, wood_top - t], [0, 0, 0], [70, 0, -70]]],
    // the second batten on the first, and on the arm's side
    [for (z = [-30, 170, 370, 570]) ["screw", "shown_wood_4x35", [-22, -1.5 * wood_thick, z], [-90, 0, 0], [-60, -140, 0]]],
    [for (d = [12, 33]) ["screw", "shown_wood_4x35", [-d, -1.5 * wood_thick, wood_top + d], [-90, 0, 0], [-60, -140, 0]]],
    // head block under the arm
    [for (at = [12, 33]) ["screw", "shown_wood_4x40", [wood_end - at, 0, wood_top - wood_thick], [0, 0, 0], [60, 0, -60]]]
);

// How the camera's ribbon runs from the Pi's socket to the camera's, without its folds.
ribbon = [
    [pi_in + 1.6 + 6, pi_mid[0] + csi_x, pi_mid[1] - 28 + csi_in],
    [pi_in + 1.6 + 6, pi_mid[0] + csi_x, case_z - case_height / 2],
    [lid_x, mast_y, arm_z + tube / 2 + 3],
    [arm_end, mast_y, arm_z + tube / 2 + 3],
    [pivot[0] - cradle_length / 2 + 4, mast_y, camera_z + cradle_base],
    [pivot[0] - cradle_length / 2 + 4, mast_y, camera_z - 3],
    [pivot[0] - 12, mast_y, camera_z - spacer + 2]
];
wood_ribbon = [
    zero_at + [33, -2, 0],
    [wood_end + 4, -wood_thick / 2 - 7, wood_top + 10],
    [wood_end + 4, -wood_wide / 2 - 2, wood_top - wood_thick - 3],
    [wood_camera[0] - 12, 0, wood_camera[1] - 3]
];
// Down along arm and mast, as every cable of the case goes, to the underside of the table.
under = [mast_x, mast_y, -table_thickness];
down = [[pi_in, mast_y, arm_z + tube / 2], [mast_x, mast_y, arm_z + tube / 2], under];
// The extension lead hangs under the table top, at the mast: no plug is within a child's or a foot's reach.
lead = [mast_x, mast_y, -table_thickness - plug_room];
supply = concat([[pi_in, pi_mid[0] + usb_c_x, pi_mid[1] - 29.5]], down, [lead]);
wood_supply = [zero_at + [21.5, -3, -15], [0, 0, wood_top], [0, 0, -table_thickness], [0, 0, -table_thickness - plug_room]];
// From the case to the lamp panel: under the table, round its edge, up behind the panel.
along = under[1] + panel_along;
up_again = [[mast_x, along, -table_thickness], [mast_x, along, 0]];
usb = concat([[pi_in + 6, pi_mid[0] + 90, pi_mid[1] + 8]], down, up_again, [[back_at[0], along, back_at[2] + pico_y]]);
pair = concat([[pi_in, pi_mid[0] - 25, pi_mid[1] + 25], [pi_in, pi_mid[0] - 25, case_z - case_height / 2]], down, up_again,
    [[back_at[0], along, back_at[2] + k3_y]]);

// Build 0: the arm's two pieces meet at an elbow that follows from where the webcam hangs.
boom_foot = [-2, 40];
boom_end = [350, 700];
boom_low = 430;
boom_high = 470;
boom_far = norm(boom_end - boom_foot);
boom_to = (boom_end - boom_foot) / boom_far;
boom_along = (boom_low * boom_low - boom_high * boom_high + boom_far * boom_far) / (2 * boom_far);
boom_off = sqrt(boom_low * boom_low - boom_along * boom_along);
elbow = boom_foot + boom_to * boom_along + [-boom_to[1], boom_to[0]] * boom_off;
function slope(from, to) = atan2(to[1] - from[1], to[0] - from[0]);
laptop = concat([
    ["table", "shown_table", [0, 0, 0], [0, 0, 0], [0, 0, 0]],
    ["table", "shown_table", [0, 660, 0], [0, 0, 0], [0, 0, 0]],
    ["boom arm", "shown_boom_clamp", [0, 0, 0], [0, 0, 0], [-120, 0, 60]],
    ["boom arm", "shown_boom_low", [boom_foot[0], 0, boom_foot[1]], [0, -slope(boom_foot, elbow), 0], [-120, 0, 60]],
    ["boom arm", "shown_boom_high", [elbow[0], 0, elbow[1]], [0, -slope(elbow, boom_end), 0], [-120, 0, 60]],
    ["webcam", "shown_webcam", [boom_end[0], 0, boom_end[1] - 14], [0, 0, 90], [0, 0, -140]],
    ["laptop", "shown_laptop", [60, 640, 0], [0, 0, 90], [0, 0, 160]],
    ["extension lead", "shown_lead", [120, 560, -table_thickness], [0, 0, 0], [0, 0, -120]]
], [for (n = [0 : 3]) ["card", "shown_playing_card", [350 + 58 * cos(90 * n), 58 * sin(90 * n), 0.1 + 0.7 * n], [0, 0, 90 * n + 8],
        [0, 0, 60]]]);
boom_cable = [[boom_end[0], 30, boom_end[1] - 25], [boom_end[0], 22, boom_end[1] + 8], [elbow[0] + 10, 22, elbow[1] + 10],
    [boom_foot[0] + 8, 26, boom_foot[1]], [60, 60, 3], [60, 480, 3]];

// A Pi Zero and a Pi 4 on the bench, with their card.
zero_bench = [
    ["Pi Zero", "shown_pi_zero", [0, 0, 0], [0, 0, 0], [0, 0, 0]],
    ["microSD card", "shown_sd", [-30, 0, 1.5], [0, 0, 0], [-60, 0, 0]],
    ["supply plug", "shown_micro_usb", [21.5, -16.1, 2.7], [90, 0, 0], [0, -60, 0]]
];
pi_bench = [
    ["Pi", "shown_pi", [0, 0, 0], [0, 0, 0], [0, 0, 0]],
    ["microSD card", "shown_sd", [-30, 0, -1.2], [0, 0, 0], [-60, 0, 0]],
    ["supply plug", "shown_usb_c", [usb_c_x, -29.5, 3.2], [90, 0, 0], [0, -60, 0]]
];
// The strip's rows on the carrier, as the panel stands.
strip_on = [for (row = [0 : panel_rows - 1])
    let (y = (row - (panel_rows - 1) / 2) * panel_row_pitch, full = row != 2)
    ["strip", full ? "shown_strip_row" : "shown_strip_suits", [0, y, panel_carrier], [0, 0, row % 2 == 0 ? 0 : 180], [0, 0, 40]]];
carrier_bench = concat([["carrier", "panel_carrier", [0, 0, 0], [0, 0, 0], [0, 0, 0]]], strip_on);

echo(laptop = laptop);
echo(boom_cable = boom_cable);
echo(zero_bench = zero_bench);
echo(pi_bench = pi_bench);
echo(carrier_bench = carrier_bench);
echo(stand = stand);
echo(case_wide = case_wide);
echo(panel = panel);
echo(wood = wood);
echo(pivot = [pivot[0], mast_y, pivot[1]]);
echo(lens = [[pivot[0], mast_y, lens_z], [mast]]);
echo(wood_lens = [wood_camera[0], 0, wood_camera[1] - spacer - lens_drop]);
echo(ribbons = [ribbon, wood_ribbon]);
echo(supplies = [supply, wood_supply]);
echo(to_the_panel = [["W4", usb], ["W5", pair]]);
echo(zero = zero_at);
echo(breadboard = [wood_end - 235, -wood_thick / 2, wood_top + wood_wide / 2]);
