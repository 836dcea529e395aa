"""Follows light through a scene instead of painting it: glass bends what lies behind it and gathers lamps into bright
spots on the wood, what is glossy mirrors the room, a pit's walls light its seeds.

Needs Mitsuba 3 (the `train` extra). It takes some twenty times as long as `board_render`, so only part of the lessons
are drawn so. What lies where, what hides what, hands and the lens are `board_render`'s: the truth is the same.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import mitsuba as mi
import numpy as np

from vision.synthetic.board_render import (
    LEAST_AHEAD,
    WOOD_PX,
    BoardPicture,
    between_bars,
    expose,
    laid_out,
    on_pane,
    skin,
)
from vision.synthetic.board_scene import Panes, Scene, SceneCamera, SeedLook, random_lights, random_panes
from vision.synthetic.board_textures import clouds, earth, table, wood
from vision.training.board_shapes import STEP, Net, ball, board_top, normals, ribbons, seed_form, sheet

Array = np.ndarray[Any, Any]
Thing = dict[str, Any]
"""What Mitsuba makes a thing of."""

RAYS, PASSES = 24, 4
"""Rays for each pixel, and in how many goes: what is far brighter in one go than in the others is a stray ray that met
a lamp through glass."""
STRAY = 2.5
"""Times as bright as in the usual go."""
BOUNCES = 9
"""How often a ray is bent, mirrored or scattered at most: through two marbles it is bent eight times."""
TEXTURE_PX = 110
"""Pixels of the board's colours for each pitch."""
EARTHEN = 0.2
"""Part of the boards that no shop sells that are of sand or clay."""
SKY_PX = 256
"""Height of the picture of all that shines from around."""
BALL = 0.93
"""Seeds whose half axes are at least so nearly alike are balls."""
CLEAR = 0.3
"""Of what shows more through than this, light goes through; what shows less is painted."""
GAMMA = 2.2

mi.set_variant("scalar_rgb")


def exposures(scene: Scene, rng: np.random.Generator, times: int) -> list[BoardPicture]:
    """The scene several times in other light; the wood, its seeds and the camera stay."""
    laid = np.random.default_rng(scene.style_seed)
    canvas, _ = laid_out(scene, laid)
    things = {**_board(scene, laid), **_seeds(scene, laid)}
    out = []
    for n in range(times):
        lights, ambient = random_lights(rng) if n else (scene.lights, scene.ambient)
        canvas.scene = replace(scene, lights=lights, ambient=ambient, frame=scene.frame + n, panes=random_panes(rng))
        out.append(expose(canvas, _seen(things, canvas.scene, rng), rng))
    return out


def _seen(things: dict[str, Any], scene: Scene, rng: np.random.Generator) -> Array:
    """The picture that reaches the lens, as values of a picture (blue, green, red)."""
    upright = mi.ScalarTransform4f().rotate([1, 0, 0], 90)
    whole = mi.load_dict(
        {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": BOUNCES},
            "eye": _eye(scene.camera),
            "sky": {"type": "envmap", "bitmap": mi.Bitmap(_sky(scene, rng)), "to_world": upright},
            **things,
        }
    )
    seeds = rng.integers(2**31, size=PASSES).tolist()
    goes = np.stack([np.array(mi.render(whole, spp=RAYS // PASSES, seed=seed)) for seed in seeds])
    usual = np.median(goes, axis=0)
    light = np.minimum(goes, STRAY * usual + 0.1 * float(usual.mean())).mean(0)[..., 2::-1]
    bright = max(float(np.percentile(light, 97)), 1e-6)
    return np.asarray((light / bright).clip(0, 4) ** (1 / GAMMA), np.float32)


def _eye(camera: SceneCamera) -> Thing:
    _, down, forward = (_turned(ax) for ax in camera.axes)
    at = _turned(camera.at)
    place = mi.ScalarTransform4f().look_at(origin=at.tolist(), target=(at + forward).tolist(), up=(-down).tolist())
    film = {"type": "hdrfilm", "width": camera.width, "height": camera.height, "rfilter": {"type": "gaussian"}}
    wide = 2 * np.degrees(np.arctan(camera.width / 2 / camera.focal))
    return {"type": "perspective", "fov": float(wide), "fov_axis": "x", "to_world": place, "film": film}


# -- as Mitsuba takes it -----------------------------------------------------------------------------------------------


def _turned(points: Array) -> Array:
    """Board coordinates, whose y runs down, as the tracer's, whose y runs up."""
    return np.asarray(points * [1.0, -1.0, 1.0])


def _light(colour: Array) -> Array:
    """How much red, green and blue light the values of a picture (blue, green, red) stand for."""
    return np.ascontiguousarray((np.clip(colour, 0.0, 1.0) ** GAMMA)[..., ::-1], np.float32)


def _painting(colour: Array) -> Thing:
    return {"type": "bitmap", "bitmap": mi.Bitmap(_light(colour)), "raw": True, "wrap_mode": "mirror"}


PAINTED = {"type": "mesh_attribute", "name": "vertex_color"}
"""Each corner has a colour of its own."""


def _mesh(name: str, net: Net, bsdf: Thing, colours: Array | None = None, uv: Array | None = None) -> Any:
    """A surface in board coordinates: its corners' colours (red, green, blue) or places on a painting, if any. In the
    tracer's coordinates it is mirrored, so that its triangles run the other way round."""
    points, faces = _turned(net[0]), net[1][:, ::-1]
    props = mi.Properties()
    props["bsdf"] = mi.load_dict(bsdf)
    mesh = mi.Mesh(
        name, len(points), len(faces), props=props, has_vertex_normals=True, has_vertex_texcoords=uv is not None
    )
    if colours is not None:
        mesh.add_attribute("vertex_color", 3, np.ascontiguousarray(colours, np.float32).ravel())
    params = mi.traverse(mesh)
    params["vertex_positions"] = np.ascontiguousarray(points, np.float32).ravel()
    params["faces"] = np.ascontiguousarray(faces, np.uint32).ravel()
    params["vertex_normals"] = np.ascontiguousarray(normals((points, faces)), np.float32).ravel()
    if uv is not None:
        params["vertex_texcoords"] = np.ascontiguousarray(uv, np.float32).ravel()
    params.update()
    return mesh


# -- the board and what it lies on -------------------------------------------------------------------------------------


def _board(scene: Scene, rng: np.random.Generator) -> dict[str, Any]:
    x, y, z = board_top(scene, rng)
    uv = np.stack([(x - x.min()) / np.ptp(x), 1 - (y - y.min()) / np.ptp(y)], -1).reshape(-1, 2)
    net = np.stack([x, y, z], -1).reshape(-1, 3), sheet(*x.shape)
    varnished = rng.random() < 0.3
    surface = {
        "type": "principled",
        "base_color": _painting(_board_colours(scene, z, rng)),
        "roughness": float(rng.uniform(0.1, 0.35) if varnished else rng.uniform(0.35, 0.9)),
        "specular": float(rng.uniform(0.3, 0.7) if varnished else rng.uniform(0.0, 0.5)),
    }
    far = 3 * float(max(scene.shape.half))
    flat = mi.ScalarTransform4f().translate([0, 0, float(z.min()) - 0.005]).scale([1.5 * far, far, 1])
    cloth = {"type": "diffuse", "reflectance": _painting(table(rng, (400, 600)))}
    return {
        "board": _mesh("board", net, surface, uv=uv),
        "table": {"type": "rectangle", "to_world": flat, "bsdf": cloth},
    }


def _board_colours(scene: Scene, heights: Array, rng: np.random.Generator) -> Array:
    """The board from above: wood, worn or painted in its hollows."""
    earthen = not scene.shape.pale and rng.random() < EARTHEN
    plank = earth(rng, WOOD_PX) if earthen else wood(rng, WOOD_PX, scene.shape.pale)
    wide, high = (round(n * STEP * TEXTURE_PX) for n in heights.shape[::-1])
    z = cv2.resize(heights, (wide, high)).astype(np.float32)
    scale = plank.shape[1] / (wide / TEXTURE_PX + 1)
    down, across = np.mgrid[0:high, 0:wide].astype(np.float32) / TEXTURE_PX
    across, down = (across + 0.3 * z) * scale, (down + np.float32(rng.uniform(0, 1.2)) * z) * scale
    out = cv2.remap(plank, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    hollow = (z < -0.01)[..., None]
    out = out * np.where(hollow, rng.uniform(0.6, 1.15), 1.0)
    if scene.shape.lined is not None:
        grain = out.mean(-1, keepdims=True) / max(float(out.mean()), 1e-3)
        out = np.where(hollow, np.array(scene.shape.lined) * (0.5 + 0.5 * grain), out)
    return np.asarray(out)


# -- seeds -------------------------------------------------------------------------------------------------------------


def _seeds(scene: Scene, rng: np.random.Generator) -> dict[str, Any]:
    """Each seed as its look says."""
    corners, faces = ball()
    waves = rng.normal(0, 1, (4, 3))
    faded, dust = (rng.uniform(0, 0.8) if rng.random() < FADED else 0.0), rng.uniform(0.15, 0.7) * DUST
    out: dict[str, Any] = {}
    seeds = scene.seeds
    for i, (mid, axes, turn) in enumerate(zip(seeds.centres, seeds.axes, seeds.turns, strict=True)):
        name = f"seed{i}"
        look = scene.look.other if scene.look.other is not None and rng.random() < 0.5 else scene.look
        tone = look.colours[rng.integers(len(look.colours))] * rng.normal(1, 0.06)
        tone = tone + faded * (dust - tone)
        # A turn that mirrors runs round the triangles the other way.
        net = faces if np.linalg.det(turn) > 0 else faces[:, ::-1]
        if look.glass <= CLEAR:
            painted = tone * skin(corners.astype(np.float32), look.pattern, look.pattern_depth, waves, rng)[:, None]
            points = mid + (seed_form(corners, look, rng) * axes) @ turn.T
            out[name] = _mesh(name, (points, net), _opaque(look), _light(painted))
            continue
        glass = _glass(look, tone, rng)
        if float(axes.min() / axes.max()) > BALL:
            centre, radius = [float(v) for v in _turned(mid)], float(axes.mean()) * TOUCH
            out[name] = {"type": "sphere", "center": centre, "radius": radius, "bsdf": glass}
        else:
            out[name] = _mesh(name, (mid + (corners * axes * TOUCH) @ turn.T, net), glass)
        if look.vanes:
            tones = look.colours[rng.integers(0, len(look.colours), 3 if rng.random() < 0.4 else 1)]
            paint = {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": PAINTED}}
            for k, ((points, strip), colour) in enumerate(ribbons(look.vanes, _light(tones), rng)):
                inside = mid + (points * axes * INSIDE) @ turn.T
                out[f"{name}ribbon{k}"] = _mesh(f"{name}ribbon{k}", (inside, strip), paint, colour)
    return out


FADED, DUST = 0.2, np.array([0.85, 1.0, 1.1])
"""Part of the games whose seeds have lost most of their colour, and to what."""
TOUCH, INSIDE = 0.995, 0.95
"""How much smaller glass is than its seed, so that no two run into each other, and what is inside it."""


def _opaque(look: SeedLook) -> Thing:
    rough = float(np.clip((2 / (look.sharpness + 2)) ** 0.5, 0.08, 0.8))
    specular = float(np.clip(0.45 * look.gloss, 0.02, 0.8))
    return {"type": "principled", "base_color": PAINTED, "roughness": rough, "specular": specular}


def _glass(look: SeedLook, tone: Array, rng: np.random.Generator) -> Thing:
    """Clear where ribbons are its colour, else coloured through."""
    through = _light(tone / max(float(tone.max()), 0.05)) ** rng.uniform(0.2, 0.6)
    tint = [0.97] * 3 if look.vanes else [float(v) for v in through]
    return {
        "type": "dielectric",
        "int_ior": float(rng.uniform(1.45, 1.55)),
        "specular_transmittance": {"type": "rgb", "value": tint},
    }


# -- light -------------------------------------------------------------------------------------------------------------


def _sky(scene: Scene, rng: np.random.Generator) -> Array:
    """All that shines from around: walls and ceiling, lamps, windows. Red, green, blue over longitude and latitude."""
    size = SKY_PX, 2 * SKY_PX
    theta = ((np.arange(size[0]) + 0.5) / size[0] * np.pi)[:, None]
    phi = (np.arange(size[1]) + 0.5) / size[1] * 2 * np.pi
    # In board coordinates; the sky's pole is up.
    level = np.broadcast_to(np.cos(theta), size)
    way = np.stack([np.sin(theta) * np.sin(phi), -np.sin(theta) * np.cos(phi), level], -1)
    room = 0.7 + 0.3 * level + clouds(rng, size, rng.uniform(2, 6), 2) * rng.uniform(0, 0.35)
    ambient = np.array(scene.ambient)
    out = np.maximum(room, 0.05)[..., None] * ambient
    for light in scene.lights:
        to = np.array(light.at) / np.linalg.norm(light.at)
        half = 0.07 + 0.4 * light.blur**1.5
        off = np.arccos(np.clip(way @ to, -1, 1)) / half
        out += np.array(light.colour) / np.sin(half) ** 2 * np.clip((1.1 - off) / 0.2, 0, 1)[..., None]
    for pane in scene.panes:
        out += _pane(way, pane)[..., None] * ambient * rng.uniform(2, 6)
    return np.ascontiguousarray(out[..., ::-1], np.float32)


def _pane(way: Array, pane: Panes) -> Array:
    """How bright a window is in each direction."""
    ahead_by, u, v = on_pane(way, pane)
    shown = (ahead_by > LEAST_AHEAD) & (u < pane.half[0]) & (v < pane.half[1])
    if pane.bars:
        shown &= between_bars(pane, u, v)
    return np.asarray(shown * pane.power)
