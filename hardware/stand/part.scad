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
if (part == "clip") clip();
if (part == "clamp") clamp_body();
if (part == "cap") cap();
if (part == "knob") knob();
if (part == "foot") pressure_foot();
if (part == "foot_pad") foot_pad();
if (part == "jaw_pad") jaw_pad();
if (part == "ear") ear();
if (part == "cradle") cradle();
if (part == "cradle_hq") cradle_hq();
if (part == "case_base") case_base();
if (part == "case_lid") case_lid();
if (part == "display_bar") display_bar();
if (part == "saddle") saddle();
if (part == "panel_face") panel_face_part();
if (part == "panel_wells") panel_wells();
if (part == "panel_carrier") panel_carrier_part();
if (part == "panel_back") panel_back();
if (part == "panel_leg") panel_leg();
if (part == "leg_pad") leg_pad();

// Bought things, drawn for the pictures only.
if (part == "shown_table") shown_table();
if (part == "shown_legend") shown_legend();
if (part == "shown_bolt") shown_bolt();
if (part == "shown_m5x40") shown_bolt_nut(5, 40, tube);
if (part == "shown_m5x50_42") shown_bolt_nut(5, 50, tube + 2 * gusset);
if (part == "shown_m5x50_40") shown_bolt_nut(5, 50, tube + 10);
if (part == "shown_m5x50_44") shown_bolt_nut(5, 50, cap_thickness + clamp_width - 5 + 0.5);
if (part == "shown_m5x45") shown_bolt_nut(5, 45, cap_thickness + tube + saddle_floor - 5);
if (part == "shown_m4x12") shown_bolt_nut(4, 12, saddle_floor - 4.5 + case_wall);
if (part == "shown_pi") shown_pi();
if (part == "shown_m4x45") shown_bolt_nut(4, 45, tube + 10);
if (part == "shown_camera") shown_camera();
if (part == "shown_display") shown_display();
if (part == "shown_button") shown_button();
if (part == "shown_post") shown_wood(wood_post);
if (part == "shown_wood_arm") shown_wood(wood_arm);
if (part == "shown_brace") shown_brace();
if (part == "shown_tongue") shown_wood(wood_tongue);
if (part == "shown_head") shown_wood(wood_head);
if (part == "shown_angle") shown_angle();
if (part == "shown_g_clamp") shown_g_clamp();
