"""Pictures as one moving picture: animation.py OUT.webp FRAME.png... (Pillow)"""
import os
import sys

from PIL import Image

out, *names = sys.argv[1:]
frames = []
for name in names:
    with Image.open(name) as image:
        frames.append(image.convert("RGB").resize((826, 490), Image.Resampling.LANCZOS))
frames[0].save(out, save_all=True, append_images=frames[1:], duration=90, loop=0, quality=60, method=4, minimize_size=True)
print(f"{out}: {len(frames)} frames, {os.path.getsize(out) / 1e6:.2f} MB")
