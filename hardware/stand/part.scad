// One part as it lies on the printer's bed: openscad -D 'part="tube"' -o tube.stl part.scad
include <parameters.scad>
use <arm.scad>
use <clamp.scad>
use <head.scad>
use <case.scad>
use <panel.scad>
use <shown.scad>

part = "tube";

if (part == "tube") tube_part(tube_length);
if (part == "tube_middle") tube_part(tube_middle);
if (part == "splice") splice();
if (part == "gusset") gusset_part();
if (part == "plug") plug();
if (part == "drill_jig") drill_jig();
if (part == "clip") clip();
if (part == "clamp") clamp_body();
if (part == "cap") cap();
if (part == "knob") knob();
if (part == "foot") pressure_foot();
if (part == "foot_pad") foot_pad();
if (part == "jaw_pad") jaw_pad();
if (part == "ear") ear_part();
if (part == "cradle") cradle();
if (part == "cradle_hq") cradle_hq();
if (part == "case_base") case_base();
if (part == "case_lid") case_lid(window_x, window_y);
if (part == "case_lid_wide") case_lid(wide_window_x, wide_window_y);
if (part == "display_bar") display_bar();
if (part == "saddle") saddle();
if (part == "panel_face") panel_face_part();
if (part == "panel_wells") panel_wells();
if (part == "panel_carrier") panel_carrier_part();
if (part == "panel_back") panel_back();
if (part == "pico_bar") pico_bar();
if (part == "panel_leg") panel_leg();
if (part == "leg_pad") leg_pad();

// Bought things, drawn for the pictures only.
if (part == "shown_table") shown_table();
if (part == "shown_legend") shown_legend();
if (part == "shown_mast") shown_tube(mast_length);
if (part == "shown_arm") shown_tube(arm_length);
if (part == "shown_bolt") shown_bolt();
if (part == "shown_m5x40") shown_bolt_nut(5, 40, tube);
if (part == "shown_m5x50_42") shown_bolt_nut(5, 50, tube + 2 * gusset);
if (part == "shown_m5x50_40") shown_bolt_nut(5, 50, tube + 2 * ear);
if (part == "shown_m5x50_41") shown_bolt_nut(5, 50, tube + fit + 2 * saddle_cheek);
if (part == "shown_m5x50_44") shown_bolt_nut(5, 50, cap_thickness + clamp_width - 5 + 0.5);
if (part == "shown_m4x16") shown_bolt_nut(4, 16, saddle_plate + case_wall);
if (part == "shown_m4x50") shown_bolt_nut(4, 50, tube + 2 * ear + 1.6);
if (part == "shown_m2x16") shown_screw(2, 16);
if (part == "shown_m2x30") shown_bolt_nut(2, 30, 1.1 + spacer + wood_thick);
if (part == "shown_wood_4x16") shown_screw(4, 16);
if (part == "shown_wood_4x35") shown_screw(4, 35);
if (part == "shown_wood_4x40") shown_screw(4, 40);
if (part == "shown_wood_4x60") shown_screw(4, 60);
if (part == "shown_pi") shown_pi();
if (part == "shown_usb_c") shown_cable_plug([12.5, 7, 20], 6, 28);
if (part == "shown_usb_a") shown_cable_plug([16, 8, 32], 7, 25);
if (part == "shown_micro_usb") shown_cable_plug([8, 11, 20], 6, 25);
if (part == "shown_header_plugs") shown_header_plugs();
if (part == "shown_pico") shown_pico();
if (part == "shown_k3") shown_k3();
if (part == "shown_pi_zero") shown_pi_zero();
if (part == "shown_breadboard") shown_breadboard();
if (part == "shown_camera") shown_camera();
if (part == "shown_display") shown_display(display_x, display_y);
if (part == "shown_display_wide") shown_display(wide_display_x, wide_display_y);
if (part == "shown_button") shown_button();
if (part == "shown_post") shown_wood(wood_post);
if (part == "shown_post_beside") shown_wood(wood_post + wood_wide);
if (part == "shown_wood_arm") shown_wood(wood_arm);
if (part == "shown_brace") shown_brace();
if (part == "shown_tongue") shown_wood(wood_tongue);
if (part == "shown_head") shown_head();
if (part == "shown_angle") shown_angle();
if (part == "shown_g_clamp") shown_g_clamp();
if (part == "shown_laptop") shown_laptop();
if (part == "shown_webcam") shown_webcam();
if (part == "shown_boom_clamp") shown_boom_clamp();
if (part == "shown_boom_low") shown_boom(430);
if (part == "shown_boom_high") shown_boom(470);
if (part == "shown_sd") shown_sd();
if (part == "shown_lead") shown_lead();
if (part == "shown_playing_card") shown_playing_card();
if (part == "shown_strip_row") shown_strip_row(panel_columns);
if (part == "shown_strip_suits") shown_strip_row(panel_suits);
