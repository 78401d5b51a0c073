import { cloneElement, type ReactElement } from 'react';

/** Shows the name of an icon, in the TooltipLayer. The child needs its own accessible name. */
export function Tooltip({
  text,
  children,
}: {
  text: string;
  children: ReactElement<{ 'data-tooltip'?: string }>;
}) {
  return cloneElement(children, { 'data-tooltip': text });
}
