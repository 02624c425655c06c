import { ZoomIn, ZoomOut } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useKeys } from '../keyboard/use-keys.ts';
import { Icon } from '../parts/icon.tsx';
import type { Box, Point } from './layout.ts';

type ZoomableProps = {
  /** The part of the plane that is visible before anybody zooms. */
  box: Box;
  onClick: (event: MouseEvent) => void;
  children: ComponentChildren;
};

/** The magnification, and how far the middle has moved. */
type Zoom = { scale: number; offset: Point };

const wholeView: Zoom = { scale: 1, offset: { x: 0, y: 0 } };
const step = 1.5;
const scaleMax = 8;
/** A press during which the pointer moves less than this, in pixels, is a click. */
const dragMin = 4;

/**
 * A picture that can be seen closer, by its buttons, the keys + - 0, and the wheel with Ctrl; a
 * pointer moves it.
 */
export function Zoomable({ box, onClick, children }: ZoomableProps) {
  const [zoom, setZoom] = useState(wholeView);
  const closer = (factor: number) =>
    setZoom(({ scale, offset }) => {
      const next = Math.min(Math.max(scale * factor, 1), scaleMax);
      return next === 1 ? wholeView : { scale: next, offset };
    });
  const zoomIn = () => closer(step);
  const zoomOut = () => closer(1 / step);
  const fit = () => setZoom(wholeView);
  useKeys({ '+': zoomIn, '=': zoomIn, '-': zoomOut, 0: fit }); // = is the key of + without Shift
  const drag = useDrag(zoom, box, (offset) => setZoom({ scale: zoom.scale, offset }));
  return (
    <div class="zoomable">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: hidden, the lists beside it do the same */}
      <svg
        class="graph"
        viewBox={viewBoxOf(box, zoom)}
        aria-hidden="true"
        onClick={(event) => {
          if (!drag.hasMoved()) onClick(event);
        }}
        onWheel={(event) => {
          if (!event.ctrlKey) return; // the page scrolls
          event.preventDefault();
          closer(event.deltaY < 0 ? 1.2 : 1 / 1.2);
        }}
        {...drag.handlers}
      >
        {children}
      </svg>
      <fieldset class="zoom" aria-label="Zoom">
        <button type="button" onClick={zoomIn}>
          <Icon node={ZoomIn} />
          <span class="hidden">Zoom in</span>
        </button>
        <button type="button" onClick={zoomOut}>
          <Icon node={ZoomOut} />
          <span class="hidden">Zoom out</span>
        </button>
        <button type="button" disabled={zoom === wholeView} onClick={fit}>
          Fit
        </button>
      </fieldset>
    </div>
  );
}

/** Lets the pointer move a magnified picture; at full size there is nothing to move. */
function useDrag({ scale, offset }: Zoom, box: Box, onMove: (offset: Point) => void) {
  const from = useRef<{ at: Point; offset: Point } | null>(null);
  const hasMoved = useRef(false);
  const handlers = {
    onPointerDown: ({ clientX: x, clientY: y }: PointerEvent) => {
      hasMoved.current = false;
      from.current = scale === 1 ? null : { at: { x, y }, offset };
    },
    onPointerMove: ({ clientX, clientY, currentTarget, buttons }: PointerEvent) => {
      if (from.current === null || buttons === 0 || !(currentTarget instanceof Element)) return;
      const [x, y] = [clientX - from.current.at.x, clientY - from.current.at.y];
      if (!hasMoved.current && Math.hypot(x, y) < dragMin) return;
      hasMoved.current = true;
      const { width, height } = currentTarget.getBoundingClientRect();
      const unit = Math.max(box.width / width, box.height / height) / scale;
      onMove({ x: from.current.offset.x - x * unit, y: from.current.offset.y - y * unit });
    },
    onPointerUp: () => {
      from.current = null;
    },
  };
  return { handlers, hasMoved: () => hasMoved.current };
}

function viewBoxOf({ x, y, width, height }: Box, { scale, offset }: Zoom): string {
  const [wide, high] = [width / scale, height / scale];
  const left = x + offset.x + (width - wide) / 2;
  const top = y + offset.y + (height - high) / 2;
  return `${left} ${top} ${wide} ${high}`;
}
