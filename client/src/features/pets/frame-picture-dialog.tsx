import { Minus, Plus } from 'lucide-react';
import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
} from 'react';
import type { SquareCrop } from '#shared/photos/square-crop';
import { classNames } from '../../lib/class-names.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { MAX_ZOOM, moveCrop, pinchCrop, resizeCrop, sizeAtZoom, zoomOf, type Point } from './crop.ts';
import { CroppedPicture } from './cropped-picture.tsx';
import type { ChosenPicture, PictureSource } from './picture-source.ts';

interface FramePictureDialogProps {
  picture: ChosenPicture;
  onSave: (crop: SquareCrop) => void;
  onClose: () => void;
}

const HINT =
  'Drag the picture, or tap what should be in the middle. Arrow keys move it, plus and minus zoom.';

export function FramePictureDialog({
  picture: { source, crop: initial },
  onSave,
  onClose,
}: FramePictureDialogProps) {
  const [crop, setCrop] = useState(initial);
  return (
    <Dialog isOpen onClose={onClose} title="Adjust the picture" className="sm:max-w-md" isBusy>
      <div className="mx-auto mt-4 w-full max-w-[min(24rem,max(12rem,100dvh-23rem))]">
        <CropFrame source={source} crop={crop} onChange={setCrop} />
      </div>
      <div className="mt-4 flex items-center gap-4">
        <CroppedPicture source={source} crop={crop} alt="" className="size-14 shrink-0 rounded-full" />
        <ZoomSlider source={source} crop={crop} onChange={setCrop} />
      </div>
      <div className="mt-5 flex flex-row gap-3 *:flex-1 sm:justify-end sm:*:flex-none">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={() => onSave(crop)}>Done</Button>
      </div>
    </Dialog>
  );
}

interface CropControlProps {
  source: PictureSource;
  crop: SquareCrop;
  onChange: (crop: SquareCrop) => void;
}

/** Moves less are a tap, in parts of the frame. */
const TAP_TOLERANCE = 0.02;
const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

function CropFrame({ source, crop, onChange }: CropControlProps) {
  const hint = useId();
  const frame = useRef<HTMLDivElement>(null);
  const { isDragged, ...gestures } = useGestures(frame, { source, crop, onChange });
  const zoomByWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1);
    const size = crop.size * Math.exp(Math.max(-60, Math.min(60, pixels)) * 0.002);
    onChange(resizeCrop(crop, source, size, toPart(frame.current, event)));
  });
  useEffect(() => {
    const element = frame.current;
    const zoom = (event: WheelEvent) => zoomByWheel(event);
    // React's listener is passive: the page would scroll.
    element?.addEventListener('wheel', zoom, { passive: false });
    return () => element?.removeEventListener('wheel', zoom);
  }, []);
  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    const step = event.shiftKey ? 0.1 : 0.02;
    if (arrow) onChange(moveCrop(crop, source, { x: arrow.x * step, y: arrow.y * step }));
    else if (['+', '='].includes(event.key)) onChange(resizeCrop(crop, source, crop.size / 1.1));
    else if (['-', '_'].includes(event.key)) onChange(resizeCrop(crop, source, crop.size * 1.1));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div
        ref={frame}
        // Screen readers pass the arrow keys on.
        role="application"
        tabIndex={0}
        aria-label="The picture in its frame"
        aria-describedby={hint}
        onKeyDown={press}
        {...gestures}
        className="relative cursor-grab touch-none overflow-hidden rounded-print outline-offset-4 active:cursor-grabbing"
      >
        <CroppedPicture
          source={source}
          crop={crop}
          alt=""
          imageClassName={classNames(
            !isDragged &&
              'transition-[left,top,width,height] duration-150 ease-gentle motion-reduce:transition-none',
          )}
        />
        {/* Avatars show the circle, the pet's card the whole square. */}
        <div className="circle-guide pointer-events-none absolute inset-0 rounded-full" />
      </div>
      <p id={hint} className="mt-2 text-small text-muted">
        <span className="sr-only">{HINT}</span>
        <span aria-hidden>Drag and zoom. The circle is how small pictures show it.</span>
      </p>
    </>
  );
}

/** One finger or a mouse drags, two fingers zoom, a tap puts its point in the middle. */
function useGestures(
  frame: React.RefObject<HTMLDivElement | null>,
  { source, crop, onChange }: CropControlProps,
) {
  const pointers = useRef(new Map<number, Point>());
  const start = useRef<{ crop: SquareCrop; points: Point[]; isTap: boolean } | null>(null);
  const [isDragged, setDragged] = useState(false);
  const restart = (isTap: boolean) => {
    const points = [...pointers.current.values()];
    start.current = points.length > 0 ? { crop, points, isTap } : null;
    if (points.length === 0) setDragged(false);
  };
  const end = ({ pointerId }: PointerEvent) => {
    if (pointers.current.delete(pointerId)) restart(false);
  };
  return {
    isDragged,
    onPointerDown(event: PointerEvent<HTMLDivElement>) {
      if (event.button !== 0 || pointers.current.size === 2) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      pointers.current.set(event.pointerId, toPart(frame.current, event));
      restart(pointers.current.size === 1);
    },
    onPointerMove(event: PointerEvent) {
      if (!pointers.current.has(event.pointerId) || !start.current) return;
      pointers.current.set(event.pointerId, toPart(frame.current, event));
      const [from, fromOther] = start.current.points;
      const [to, toOther] = [...pointers.current.values()];
      if (!from || !to) return;
      const by = { x: to.x - from.x, y: to.y - from.y };
      if (start.current.isTap && Math.hypot(by.x, by.y) < TAP_TOLERANCE) return;
      start.current.isTap = false;
      setDragged(true);
      onChange(
        fromOther && toOther
          ? pinchCrop(start.current.crop, source, [from, fromOther], [to, toOther])
          : moveCrop(start.current.crop, source, by),
      );
    },
    onPointerUp(event: PointerEvent) {
      const point = pointers.current.get(event.pointerId);
      if (start.current?.isTap && point)
        onChange(moveCrop(crop, source, { x: 0.5 - point.x, y: 0.5 - point.y }));
      end(event);
    },
    onPointerCancel: end,
    onLostPointerCapture: end,
  };
}

function ZoomSlider({ source, crop, onChange }: CropControlProps) {
  const zoom = zoomOf(crop, source);
  const set = (next: number) =>
    onChange(resizeCrop(crop, source, sizeAtZoom(Math.min(MAX_ZOOM, Math.max(1, next)), source)));
  return (
    <div className="flex min-w-0 flex-1 items-center gap-1">
      <IconButton name="Zoom out" tone="ink" aria-disabled={zoom <= 1} onClick={() => set(zoom / 1.2)}>
        <Minus className="size-4.5" />
      </IconButton>
      <input
        type="range"
        aria-label="Zoom"
        aria-valuetext={`${Math.round(zoom * 100)} percent`}
        min={0}
        max={Math.log(MAX_ZOOM)}
        step={0.01}
        value={Math.log(zoom)}
        onChange={(event) => set(Math.exp(Number(event.target.value)))}
        className="h-11 min-w-0 flex-1 cursor-pointer accent-accent"
      />
      <IconButton name="Zoom in" tone="ink" aria-disabled={zoom >= MAX_ZOOM} onClick={() => set(zoom * 1.2)}>
        <Plus className="size-4.5" />
      </IconButton>
    </div>
  );
}

/** The position in parts of the frame. */
function toPart(
  frame: HTMLElement | null,
  { clientX, clientY }: { clientX: number; clientY: number },
): Point {
  const { left, top, width, height } = frame?.getBoundingClientRect() ?? new DOMRect();
  return { x: (clientX - left) / (width || 1), y: (clientY - top) / (height || 1) };
}
