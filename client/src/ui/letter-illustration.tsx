/** A print on its way out of an envelope, for lists of what is sent to others. */
export function LetterIllustration() {
  return (
    <svg viewBox="0 0 300 150" aria-hidden className="w-full max-w-72">
      <rect
        x="86"
        y="60"
        width="128"
        height="82"
        rx="4"
        fill="#3c2414"
        opacity={0.1}
        transform="translate(2 5)"
      />
      <path d="M86 64 L150 24 L214 64 Z" className="fill-well stroke-edge" strokeLinejoin="round" />
      <g transform="rotate(-4 150 60)">
        <rect x="108" y="10" width="84" height="98" rx="3" className="fill-print stroke-hairline" />
        <rect x="115" y="17" width="70" height="68" rx="1" className="fill-well" />
        <g transform="translate(150 54)" className="fill-edge" opacity={0.55}>
          <ellipse cx="0" cy="6" rx="10" ry="8.4" />
          <circle cx="-13.5" cy="-5" r="4.6" />
          <circle cx="-5" cy="-13.5" r="5" />
          <circle cx="5" cy="-13.5" r="5" />
          <circle cx="13.5" cy="-5" r="4.6" />
        </g>
      </g>
      <path
        d="M86 64 L150 108 L214 64 V138 a4 4 0 0 1 -4 4 H90 a4 4 0 0 1 -4 -4 Z"
        className="fill-sheet stroke-edge"
        strokeLinejoin="round"
      />
      <path d="M87.5 141 L136 99 M212.5 141 L164 99" className="stroke-hairline" />
    </svg>
  );
}
