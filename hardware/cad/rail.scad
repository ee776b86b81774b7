// The rail along one rim: a channel for the LED strip with a wall between any two points, so that the light of one
// does not fall on the next, and a groove for a strip of opal plastic, 1 mm thick, that is pushed in from the end.
//
// A rim takes 12 cells and the bar between the sixth and the seventh. A rail of that length fits no bed, so it is made
// of pieces that hook into each other: print `cells` 12 / cells_per_piece times and `bar` once for each rim.
// Measure your board first: pitch is the distance between the middles of two neighbouring points.
//
//     openscad -D pitch_mm=38.5 -D bar_mm=44 -o cells.stl rail.scad
//     openscad -D 'part="bar"' -D bar_mm=44 -o bar.stl rail.scad
//
// Print it as it stands, without supports.

part = "cells";        // "cells" or "bar"
pitch_mm = 36;         // point to point
bar_mm = 30;           // between the outer edges of points 6 and 7, less half a pitch at either side
cells_per_piece = 6;   // 1, 2, 3, 4 or 6: none may reach over the bar
bed_mm = 220;          // the longest that your printer prints

strip_width_mm = 10;   // without the silicone sleeve
strip_height_mm = 3;   // circuit board and LED
clearance_mm = 0.4;    // around the strip, and around the hook
floor_mm = 1.6;
wall_mm = 1.6;
height_mm = 10;        // from the rim to the top; the higher, the evener the light
diffuser_mm = 1;       // thickness of the opal plastic
groove_mm = 0.8;       // how deep it sits in the walls
lip_mm = 1;            // what is above it

hook_mm = 3;           // how far a piece reaches into the next
hook_width_mm = 5;     // at its neck; it is 2 mm wider at its head

inside_mm = strip_width_mm + clearance_mm;
outside_mm = inside_mm + 2 * wall_mm;
groove_z_mm = height_mm - lip_mm - diffuser_mm;
length_mm = part == "bar" ? bar_mm : cells_per_piece * pitch_mm;

assert(part == "cells" || part == "bar", "part is cells or bar");
assert(6 % cells_per_piece == 0, "cells_per_piece is 1, 2, 3 or 6: none may reach over the bar");
assert(length_mm + hook_mm <= bed_mm, "longer than the bed: take fewer cells_per_piece");
assert(groove_mm < wall_mm - 0.6, "the groove leaves less than 0.6 mm of the wall");
assert(groove_z_mm > floor_mm + strip_height_mm + 1, "no room for the walls between strip and diffuser");

module channel() {
    difference() {
        cube([length_mm, outside_mm, height_mm]);
        translate([-1, wall_mm, floor_mm])
            cube([length_mm + 2, inside_mm, height_mm]);
        translate([-1, wall_mm - groove_mm, groove_z_mm])
            cube([length_mm + 2, inside_mm + 2 * groove_mm, diffuser_mm]);
    }
}

// A wall across the channel, with an opening below for the strip.
module cell_wall(x_mm) {
    difference() {
        translate([x_mm, wall_mm / 2, floor_mm / 2])
            cube([wall_mm, outside_mm - wall_mm, groove_z_mm - 0.2 - floor_mm / 2]);
        translate([x_mm - 1, wall_mm, floor_mm])
            cube([wall_mm + 2, inside_mm, strip_height_mm]);
    }
}

module hook(margin_mm) {
    neck_mm = hook_width_mm / 2 + margin_mm;
    head_mm = neck_mm + 1;
    linear_extrude(floor_mm)
        translate([0, outside_mm / 2])
            polygon([[-0.01, -neck_mm], [hook_mm + margin_mm, -head_mm], [hook_mm + margin_mm, head_mm], [-0.01, neck_mm]]);
}

difference() {
    union() {
        channel();
        translate([length_mm, 0, 0]) hook(0);
        if (part == "cells")
            for (cell = [0 : cells_per_piece - 1]) {
                cell_wall(cell * pitch_mm);
                cell_wall((cell + 1) * pitch_mm - wall_mm);
            }
    }
    translate([0, 0, -0.01]) scale([1, 1, 1.02]) hook(clearance_mm / 2);
}
