import type { ReactNode } from 'react';

export function AlbumIllustration({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 560 500" aria-hidden className={className}>
      <Print x={318} y={22} width={190} height={228} turn={7}>
        <CatAtWindow />
      </Print>
      <Print x={58} y={64} width={262} height={324} turn={-5}>
        <WaitingDog />
      </Print>
      <Print x={296} y={276} width={212} height={182} turn={-3}>
        <Robin />
      </Print>
      <Tape x={150} y={46} turn={-9} />
      <Tape x={404} y={18} turn={12} />
    </svg>
  );
}

interface PrintProps {
  x: number;
  y: number;
  width: number;
  height: number;
  turn: number;
  children: ReactNode;
}

/** A paper border. The children's origin is the corner of the photo inside it. */
function Print({ x, y, width, height, turn, children }: PrintProps) {
  const border = 12;
  return (
    <g transform={`translate(${x} ${y}) rotate(${turn} ${width / 2} ${height / 2})`}>
      <rect x={4} y={9} width={width} height={height} rx={4} fill="#3c2414" opacity={0.14} />
      <rect width={width} height={height} rx={3} className="fill-print" />
      <svg x={border} y={border} width={width - 2 * border} height={height - 3.4 * border}>
        {children}
      </svg>
    </g>
  );
}

function Tape({ x, y, turn }: { x: number; y: number; turn: number }) {
  return (
    <rect
      x={x}
      y={y}
      width={76}
      height={24}
      fill="#dcb878"
      opacity={0.72}
      transform={`rotate(${turn} ${x} ${y})`}
    />
  );
}

function Line({ d, color, width }: { d: string; color: string; width: number }) {
  return <path d={d} fill="none" stroke={color} strokeWidth={width} strokeLinecap="round" />;
}

function WaitingDog() {
  return (
    <svg viewBox="0 0 238 284" preserveAspectRatio="xMidYMax slice">
      <rect width="238" height="284" fill="#ecc98f" />
      <circle cx="190" cy="58" r="30" fill="#f6e4bd" />
      <path d="M0 214 C60 196 150 202 238 186 V284 H0 Z" fill="#9bad85" />
      <path d="M0 246 C80 226 170 236 238 222 V284 H0 Z" fill="#7f966d" />
      <path d="M46 284 C48 226 78 194 119 194 C160 194 190 226 192 284 Z" fill="#a8663c" />
      <path d="M119 196 C140 204 150 236 146 284 H92 C88 236 98 204 119 196 Z" fill="#f7e8d0" />
      <path
        d="M119 62 C164 62 182 94 179 132 C177 172 152 204 119 204 C86 204 61 172 59 132 C56 94 74 62 119 62 Z"
        fill="#b87143"
      />
      <path
        d="M119 64 C128 64 130 98 136 118 C160 128 162 192 119 194 C76 192 78 128 102 118 C108 98 110 64 119 64 Z"
        fill="#f7e8d0"
      />
      <path d="M80 74 C52 58 30 82 28 124 C27 158 40 178 54 170 C70 160 60 118 86 92 Z" fill="#7d4827" />
      <path
        d="M158 74 C186 58 208 82 210 124 C211 158 198 178 184 170 C168 160 178 118 152 92 Z"
        fill="#7d4827"
      />
      <g fill="#2e1f16">
        <ellipse cx="91" cy="126" rx="7" ry="8.5" />
        <ellipse cx="147" cy="126" rx="7" ry="8.5" />
        <path d="M104 146 C108 140 130 140 134 146 C135 157 126 164 119 164 C112 164 103 157 104 146 Z" />
      </g>
      <path d="M108 176 C108 200 130 200 130 176 Z" fill="#d9705c" />
      <Line
        d="M119 164 V173 M119 173 C112 183 98 182 94 173 M119 173 C126 183 140 182 144 173"
        color="#2e1f16"
        width={3.4}
      />
      <circle cx="93.5" cy="122.5" r="2.3" fill="#fff8ec" />
      <circle cx="149.5" cy="122.5" r="2.3" fill="#fff8ec" />
      <Line d="M72 205 C92 226 146 226 166 205" color="#b0452a" width={11} />
      <circle cx="119" cy="230" r="10" fill="#e3b04f" />
    </svg>
  );
}

function CatAtWindow() {
  return (
    <svg viewBox="0 0 166 188" preserveAspectRatio="xMidYMax slice">
      <rect width="166" height="188" fill="#c7d3cb" />
      <path d="M0 112 C30 92 58 104 84 96 C112 88 138 100 166 86 V160 H0 Z" fill="#9fb3a1" />
      <circle cx="122" cy="46" r="19" fill="#f8ecd0" />
      <path d="M83 0 V150 M0 64 H166" stroke="#f7efe0" strokeWidth="6" />
      <rect y="146" width="166" height="42" fill="#d8a880" />
      <rect y="146" width="166" height="7" fill="#e9c6a2" />
      <g fill="#33251e">
        <path d="M62 62 C46 84 32 118 38 150 H106 C112 118 98 84 82 62 Z" />
        <ellipse cx="72" cy="58" rx="24" ry="21" />
        <path d="M50 54 L50 26 C58 29 64 34 68 40 Z" />
        <path d="M94 54 L94 26 C86 29 80 34 76 40 Z" />
      </g>
      <Line d="M98 146 C126 144 134 162 126 174 C120 182 110 177 114 169" color="#33251e" width={9} />
      <Line d="M54 34 L54 46 M90 34 L90 46" color="#a8663c" width={3} />
      <path d="M18 146 V128 H34 V146 Z" fill="#b0452a" />
      <Line
        d="M26 128 C20 116 14 114 10 106 M26 128 C26 114 28 108 26 98 M26 128 C32 118 38 118 42 108"
        color="#5d7a55"
        width={4}
      />
    </svg>
  );
}

function Robin() {
  return (
    <svg viewBox="0 0 188 141" preserveAspectRatio="xMidYMid slice">
      <rect width="188" height="141" fill="#f0d9c3" />
      <Line d="M-4 118 C50 104 110 116 192 98" color="#7d5539" width={7} />
      <Line d="M142 108 C152 94 164 88 176 86" color="#7d5539" width={4} />
      <g fill="#84996f">
        <path d="M176 86 C170 72 178 62 190 60 C190 74 186 82 176 86 Z" />
        <path d="M154 92 C142 84 142 72 148 64 C158 72 160 82 154 92 Z" />
        <path d="M24 110 C14 102 12 92 16 84 C26 90 30 100 24 110 Z" />
      </g>
      <path d="M60 74 C44 76 28 84 14 80 C28 74 44 62 58 56 Z" fill="#6d4a33" />
      <path
        d="M56 66 C58 38 84 24 106 30 C128 36 138 58 128 80 C120 100 92 108 74 98 C60 92 55 80 56 66 Z"
        fill="#8a6144"
      />
      <path
        d="M112 32 C132 40 138 60 128 80 C121 97 104 104 88 102 C98 86 92 64 98 46 C102 38 106 34 112 32 Z"
        fill="#cf6a42"
      />
      <path d="M58 62 C70 56 92 62 94 78 C88 90 68 90 58 80 Z" fill="#6d4a33" />
      <path d="M131 50 L146 55 L131 60 Z" fill="#e3b04f" />
      <circle cx="118" cy="48" r="4" fill="#2e1f16" />
      <circle cx="119.2" cy="46.8" r="1.2" fill="#fff8ec" />
      <Line d="M86 102 V112 M100 102 V111" color="#2e1f16" width={3} />
    </svg>
  );
}
