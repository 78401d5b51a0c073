import type { SVGProps } from 'react';

/*
 * Lucide's icons of one path each, without its component: lists render hundreds of them.
 */

export function HeartIcon({ className }: { className?: string }) {
  return (
    <Icon
      className={className}
      d="M2 9.5a5.5 5.5 0 0 1 9.591-3.676.56.56 0 0 0 .818 0A5.49 5.49 0 0 1 22 9.5c0 2.29-1.5 4-3 5.5l-5.492 5.313a2 2 0 0 1-3 .019L5 15c-1.5-1.5-3-3.2-3-5.5"
    />
  );
}

export function PencilIcon({ className }: { className?: string }) {
  return (
    <Icon
      className={className}
      d="M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497zM15 5l4 4"
    />
  );
}

/** Three dots, each a line of no length with round ends. */
export function MoreIcon() {
  return <Icon d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3.75" />;
}

interface IconProps extends Pick<SVGProps<SVGPathElement>, 'd' | 'strokeWidth'> {
  className?: string | undefined;
}

function Icon({ className, ...path }: IconProps) {
  return (
    <svg aria-hidden viewBox="0 0 24 24" className={className ? `icon ${className}` : 'icon'}>
      <path {...path} />
    </svg>
  );
}
