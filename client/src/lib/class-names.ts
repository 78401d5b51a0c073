import { createTailwindMerge } from 'tailwind-merge';

const any = () => true;
const sides = ['t', 'r', 'b', 'l'];
const around = ['x', 'y', ...sides];

/** Prefixes whose classes all set one property, like the `px` of px-5. */
const prefixes = [
  ...['p', 'm', 'scroll-p', 'scroll-m'].flatMap((name) => [name, ...around.map((side) => name + side)]),
  ...['inset', 'inset-x', 'inset-y', 'top', 'right', 'bottom', 'left', 'z'],
  ...['size', 'w', 'h', 'min-w', 'min-h', 'max-w', 'max-h', 'aspect'],
  ...['gap', 'gap-x', 'gap-y', 'space-y', 'basis', 'items', 'justify', 'self', 'grid-flow'],
  ...['grid-cols', 'grid-rows', 'col-span', 'col-start', 'row-span', 'row-start'],
  ...['overflow', 'overflow-x', 'overflow-y', 'overscroll', 'object', 'cursor', 'select', 'pointer-events'],
  ...['rounded', 'rounded-t', 'rounded-r', 'rounded-b', 'rounded-l', 'opacity', 'fill'],
  ...['translate-x', 'translate-y', 'rotate', 'scale', 'duration', 'delay', 'ease', 'animate', 'transition'],
  ...['leading', 'tracking', 'line-clamp', 'whitespace', 'underline-offset', 'outline-offset'],
];

/** A class for all sides replaces those for x, y and single sides. */
const shorthands = (name: string) => ({
  [name.replace(/-$/, '')]: around.map((side) => name + side),
  [`${name}x`]: [`${name}l`, `${name}r`],
  [`${name}y`]: [`${name}t`, `${name}b`],
});

const width = ['', (value: string) => /^\d/.test(value)];

/** Knows only this app's classes: tailwind-merge's default configuration is large. A test finds missing ones. */
export const classNames = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups: {
    ...Object.fromEntries(prefixes.map((prefix) => [prefix, [{ [prefix]: [any] }]])),
    display: ['block', 'inline-block', 'inline', 'flex', 'inline-flex', 'grid', 'contents', 'hidden'],
    visibility: ['visible', 'invisible'],
    position: ['static', 'fixed', 'absolute', 'relative', 'sticky'],
    flex: [{ flex: ['1', 'none'] }],
    'flex-direction': [{ flex: ['row', 'row-reverse', 'col', 'col-reverse'] }],
    'flex-wrap': [{ flex: ['wrap', 'nowrap'] }],
    grow: [{ grow: ['', any] }],
    shrink: [{ shrink: ['', any] }],
    'font-family': [{ font: ['sans', 'display', 'mono'] }],
    'font-weight': [{ font: [any] }],
    'text-size': [{ text: ['small', 'body', 'lead', 'title', 'display'] }],
    'text-align': [{ text: ['left', 'center', 'right', 'start'] }],
    'text-wrap': [{ text: ['wrap', 'nowrap', 'balance', 'pretty'] }],
    'text-color': [{ text: [any] }],
    'bg-image': [{ bg: ['none', { linear: [any] }, (value: string) => value.includes('-gradient(')] }],
    'gradient-from-position': [{ from: [(value: string) => value.endsWith('%')] }],
    'gradient-from': [{ from: [any] }],
    'bg-size': [{ 'bg-size': [any] }],
    'bg-clip': [{ 'bg-clip': [any] }],
    'bg-color': [{ bg: [any] }],
    'border-width': [{ border: width }],
    'border-style': [{ border: ['dashed', 'solid'] }],
    'border-color': [{ border: [any] }],
    ...Object.fromEntries(
      around.flatMap((side) => [
        [`border-width-${side}`, [{ [`border-${side}`]: width }]],
        [`border-color-${side}`, [{ [`border-${side}`]: [any] }]],
      ]),
    ),
    'outline-style': [{ outline: ['none'] }],
    'outline-width': [{ outline: width }],
    'outline-color': [{ outline: [any] }],
    'ring-width': [{ ring: width }],
    'ring-color': [{ ring: [any] }],
    'stroke-width': [{ stroke: [(value: string) => /^\[?\d/.test(value)] }],
    'stroke-color': [{ stroke: [any] }],
    'decoration-width': [{ decoration: width }],
    'decoration-color': [{ decoration: [any] }],
    shadow: [{ shadow: ['none', 'print', 'lifted'] }],
    'shadow-color': [{ shadow: [any] }],
  },
  conflictingClassGroups: {
    ...shorthands('p'),
    ...shorthands('m'),
    ...shorthands('scroll-p'),
    ...shorthands('scroll-m'),
    ...shorthands('border-width-'),
    ...shorthands('border-color-'),
    rounded: sides.map((side) => `rounded-${side}`),
    inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
    'inset-x': ['right', 'left'],
    'inset-y': ['top', 'bottom'],
    size: ['w', 'h'],
    gap: ['gap-x', 'gap-y'],
    overflow: ['overflow-x', 'overflow-y'],
    flex: ['basis', 'grow', 'shrink'],
    'text-size': ['leading'],
    'line-clamp': ['display', 'overflow'],
  },
  conflictingClassGroupModifiers: { 'text-size': ['leading'] },
  orderSensitiveModifiers: ['*', '**', 'before', 'after', 'placeholder', 'file', 'marker', 'selection'],
}));
