// Where each part stands, for the pictures and for the check that no two parts intersect. Table top: z = 0; its edge:
// x = 0; y runs along the edge. Lines: [name, part, move, turn, how far it flies in the exploded view].
include <parameters.scad>

channel = tube + fit;
mast_x = -spine - channel / 2;
mast_y = clamp_width / 2 - (clamp_width - channel_depth + tube / 2);
clamp_low = pad - throat - jaw_bottom;
mast = 2 * tube_length + mast_middles * tube_middle;
mast_top = clamp_low + mast;
arm_x = mast_x - tube / 2;
arm_end = arm_x + arm_tubes * tube_length;
arm_z = mast_top + tube / 2;
inset = tube / 2 - (bore - 2 * fit) / 2;         // from a tube's face to the splice in it
pivot = [arm_end - hole_first + pivot_out, arm_z - pivot_drop];
camera_z = pivot[1] - pivot_height;
lens_z = camera_z - spacer - lens_drop;
bolt_x = 38;
cap_at = [pad + jaw_top - 16, clamp_low + 16];
foot_top = -table_thickness - pad;
bolt_tip = foot_top - foot_height + 6;
head_seat = bolt_tip - clamp_bolt;

case_z = case_above_table + case_height / 2;
case_x = mast_x + tube / 2 + saddle_floor;
saddle_z = case_z - saddle_drop;
lid_x = case_x + case_depth + lid;

// joints of the mast, from below
function joint(n) = clamp_low + tube_length + n * tube_middle;

// Bolts along y: name, where the head's underside lies, part, how far it flies.
function across(part, x, y, z, flight) = ["bolt", part, [x, y, z], [-90, 0, 0], flight];
near = mast_y - tube / 2;
bolts = concat(
    [for (n = [0:1:mast_middles]) for (d = [-hole_second, -hole_first, hole_first, hole_second])
        across("shown_m5x40", mast_x, near, joint(n) + d, [90, -70, 170 + 100 * n])],
    [for (n = [1:1:arm_tubes - 1]) for (d = [-hole_second, -hole_first, hole_first, hole_second])
        across("shown_m5x40", arm_x + n * tube_length + d, near, arm_z, [-25 + 110 * n, -70, 590 + 60 * mast_middles])],
    [for (d = [hole_first, hole_second, hole_third])
        across("shown_m5x50_42", mast_x, near - gusset, mast_top - d, [0, -130, 520 + 60 * mast_middles])],
    [for (d = [hole_first, hole_second, hole_third])
        across("shown_m5x50_42", arm_x + d, near - gusset, arm_z, [0, -130, 520 + 60 * mast_middles])],
    [for (d = [hole_first, hole_second])
        across("shown_m5x50_40", arm_end - d, near - 5, arm_z, [170, -100, 540 + 60 * mast_middles])],
    [for (d = [0, 16]) across("shown_m4x45", pivot[0], near - 5, pivot[1] + d, [170, -100, 520 + 60 * mast_middles])],
    [for (z = cap_at) for (side = [-1, 1])
        across("shown_m5x50_44", mast_x + side * (channel + flank) / 2, near - cap_thickness, z, [0, -100, 0])],
    [for (z = [-13, 13]) for (side = [-1, 1]) ["bolt", "shown_m5x45",
        [mast_x - tube / 2 - cap_thickness, mast_y + side * (channel + flank) / 2, saddle_z + z], [90, 0, 90], [-130, 0, 110]]],
    [for (z = [-12, 12]) ["bolt", "shown_m4x12", [case_x - 4.5, mast_y, saddle_z + z], [90, 0, 90], [60, 0, 110]]]
);

stand = concat([
    ["table", "shown_table", [0, 0, 0], [0, 0, 0], [0, 0, 0]],
    ["clamp", "clamp", [0, clamp_width / 2, pad], [90, 0, 0], [0, 0, 0]],
    ["jaw pad", "jaw_pad", [0, 0, 0], [0, 0, 0], [70, 0, 15]],
    ["pressure foot pad", "foot_pad", [bolt_x, 0, -table_thickness - pad], [0, 0, 0], [0, 0, -125]],
    ["pressure foot", "foot", [bolt_x, 0, foot_top], [180, 0, 0], [0, 0, -140]],
    ["M8 bolt", "shown_bolt", [bolt_x, 0, head_seat - 5.3], [0, 0, 0], [0, 0, -190]],
    ["knob", "knob", [bolt_x, 0, head_seat + 10], [180, 0, 0], [0, 0, -230]],
    ["cap", "cap", [mast_x, mast_y - tube / 2, cap_at[0]], [90, 0, 0], [0, -60, 0]],
    ["cap", "cap", [mast_x, mast_y - tube / 2, cap_at[1]], [90, 0, 0], [0, -60, 0]],
    ["tube", "tube", [mast_x + tube / 2, mast_y, clamp_low], [0, -90, 0], [0, 0, 110]],
    ["tube", "tube", [mast_x + tube / 2, mast_y, mast_top - tube_length], [0, -90, 0], [0, 0, 410 + 60 * mast_middles]],
    ["splice", "splice", [mast_x + tube / 2 - inset, mast_y, mast_top - splice_length], [0, -90, 0],
        [0, 0, 560 + 60 * mast_middles]],
    ["gusset", "gusset", [mast_x, mast_y - tube / 2, mast_top], [90, 0, 0], [0, -90, 520 + 60 * mast_middles]],
    ["gusset", "gusset", [mast_x, mast_y + tube / 2 + gusset, mast_top], [90, 0, 0], [0, 90, 520 + 60 * mast_middles]],
    ["saddle", "saddle", [case_x, mast_y, saddle_z], [90, 0, -90], [110, 0, 110]],
    ["cap", "cap", [mast_x - tube / 2, mast_y, saddle_z - 13], [90, 0, -90], [-90, 0, 110]],
    ["cap", "cap", [mast_x - tube / 2, mast_y, saddle_z + 13], [90, 0, -90], [-90, 0, 110]],
    ["case base", "case_base", [case_x, mast_y, case_z], [90, 0, 90], [190, 0, 110]],
    ["case lid", "case_lid", [lid_x, mast_y, case_z], [90, 0, -90], [380, 0, 110]],
    ["Pi", "shown_pi", [case_x + case_wall + pi_post_height, mast_y + pi_x, case_z + pi_y], [90, 0, 90], [240, 0, 110]],
    ["display", "shown_display", [lid_x - lid, mast_y + 16, case_z + 4], [90, 0, -90], [320, 0, 110]],
    ["display bar", "display_bar", [lid_x - lid - 5, mast_y - 18, case_z + 4], [-90, 0, 90], [270, 0, 110]],
    ["display bar", "display_bar", [lid_x - lid - 5, mast_y + 50, case_z + 4], [90, 0, -90], [270, 0, 110]],
    ["cradle", "cradle", [pivot[0], mast_y, camera_z], [0, 0, 0], [170, 0, 470 + 60 * mast_middles]],
    ["camera", "shown_camera", [pivot[0], mast_y, camera_z], [0, 0, 0], [170, 0, 430 + 60 * mast_middles]],
    ["ear", "ear", [arm_end - hole_first, mast_y - tube / 2, arm_z], [90, 0, 0], [170, -60, 540 + 60 * mast_middles]],
    ["ear", "ear", [arm_end - hole_first, mast_y + tube / 2 + 5, arm_z], [90, 0, 0], [170, 60, 540 + 60 * mast_middles]],
    ["splice", "splice", [arm_x, mast_y, arm_z - tube / 2 + inset], [0, 0, 0], [-60, 0, 640 + 60 * mast_middles]],
    ["clip", "clip", [mast_x, mast_y, 190], [0, 0, 90], [-70, 0, 110]],
    ["clip", "clip", [arm_x + 130, mast_y, arm_z], [90, 0, 90], [0, 0, 590 + 60 * mast_middles]],
    ["clip", "clip", [arm_x + 300, mast_y, arm_z], [90, 0, 90], [60, 0, 590 + 60 * mast_middles]]
], [for (n = [-1, 0, 1]) ["button", "shown_button", [lid_x, mast_y - 51, case_z + 6 - n * button_pitch], [90, 0, -90],
        [440, 0, 110]]],
   [for (n = [0:1:mast_middles - 1]) ["middle tube", "tube_middle", [mast_x + tube / 2, mast_y, joint(n)], [0, -90, 0],
        [0, 0, 230 + 100 * n]]],
   [for (n = [0:1:mast_middles]) ["splice", "splice",
        [mast_x + tube / 2 - inset, mast_y, joint(n) - splice_length / 2], [0, -90, 0], [90, 0, 170 + 100 * n]]],
   [for (n = [0:1:arm_tubes - 1]) ["tube", "tube", [arm_x + n * tube_length, mast_y, mast_top], [0, 0, 0],
        [30 + 110 * n, 0, 540 + 60 * mast_middles]]],
   [for (n = [1:1:arm_tubes - 1]) ["splice", "splice",
        [arm_x + n * tube_length - splice_length / 2, mast_y, arm_z - tube / 2 + inset], [0, 0, 0],
        [-25 + 110 * n, 0, 590 + 60 * mast_middles]]],
    bolts);

panel_h = panel_rows * panel_row_pitch + 2 * panel_margin;
panel_at = [70, 0];
normal = [cos(panel_lean), 0, sin(panel_lean)];
back_at = [panel_at[0] - panel_h / 2 * sin(panel_lean), panel_at[1], pad + 8 + panel_h / 2 * cos(panel_lean)];
carrier_at = back_at + normal * (panel_back_depth + panel_carrier);
front_at = carrier_at + normal * panel_front_depth;
face_on = [90 + panel_lean, 0, -90];

panel = concat([
    ["face", "panel_face", front_at + normal * 1.5 * paper, face_on, normal * 240],
    ["paper legend", "shown_legend", front_at - normal * (panel_face - 1.25 * paper), face_on, normal * 195],
    ["wells", "panel_wells", front_at - normal * panel_face, face_on, normal * 140],
    ["carrier with the strip", "panel_carrier", carrier_at, face_on, normal * 70],
    ["back with the Pico", "panel_back", back_at, [90 - panel_lean, 0, 90], [0, 0, 0]]
], [for (side = [-1, 1]) ["leg", "panel_leg", [panel_at[0], panel_at[1] + side * 62 - 6, pad], [90, 0, 180], [-70, 0, 0]]],
   [for (side = [-1, 1]) for (x = [41, -84]) ["leg pad", "leg_pad", [panel_at[0] + x, panel_at[1] + side * 62, 0], [0, 0, 0],
        [-70, 0, -30]]]);

wood = [
    ["table", "shown_table", [0, 0, 0], [0, 0, 0], [0, 0, 0]],
    ["post", "shown_post", [0, -wood_thick / 2, -60], [0, -90, 0], [0, 0, 0]],
    ["tongue", "shown_tongue", [0, wood_wide / 2, 0], [90, 0, 0], [60, 0, 0]],
    ["arm", "shown_wood_arm", [-wood_wide, -wood_thick / 2, wood_post - 60], [0, 0, 0], [0, 0, 80]],
    ["brace", "shown_brace", [0, wood_thick / 2, wood_post - 60 - wood_brace / sqrt(2)], [0, -45, 0], [70, 0, -20]],
    ["angle", "shown_angle", [0, -10, wood_thick], [0, 0, 0], [60, 0, 60]],
    ["angle", "shown_angle", [0, 10, wood_post - 60], [180, 0, 0], [30, 0, 20]],
    ["head block", "shown_head", [wood_arm - wood_wide - wood_head, wood_wide / 2, wood_post - 60 - wood_thick], [90, 0, 0],
        [60, 0, -30]],
    ["camera", "shown_camera", [wood_arm - wood_wide - 25, 0, wood_post - 60 - wood_thick], [0, 0, 0], [60, 0, -80]],
    ["G-clamp", "shown_g_clamp", [34, 18.6, -23], [0, 0, 0], [0, 90, 0]]
];

echo(stand = stand);
echo(panel = panel);
echo(wood = wood);
echo(pivot = [pivot[0], mast_y, pivot[1]]);
echo(lens = [[pivot[0], mast_y, lens_z], [mast]]);
