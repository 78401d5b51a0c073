import { useId } from 'react';
import { CARICATURE_STYLE_NAMES, type CaricatureStyle } from '#shared/caricature';
import { StyleSample } from './style-sample.tsx';

interface StylePickerProps {
  styles: CaricatureStyle[];
  chosen: CaricatureStyle;
  onChoose: (style: CaricatureStyle) => void;
  legendId: string;
}

export function StylePicker({ styles, chosen, onChoose, legendId }: StylePickerProps) {
  const group = useId();
  return (
    <div
      role="radiogroup"
      aria-labelledby={legendId}
      className="grid grid-cols-2 gap-2.5 sm:grid-cols-4 lg:grid-cols-2"
    >
      {styles.map((style) => (
        <label
          key={style}
          className="relative flex flex-col rounded-field border border-hairline bg-paper p-1.5 text-center text-small font-semibold text-muted transition-colors duration-150 hover:text-ink has-checked:border-accent has-checked:text-ink has-checked:ring-1 has-checked:ring-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-ink"
        >
          <input
            type="radio"
            name={group}
            checked={style === chosen}
            onChange={() => onChoose(style)}
            className="absolute inset-0 z-10 cursor-pointer appearance-none rounded-field outline-none"
          />
          <StyleSample style={style} />
          <span className="pt-1.5 pb-0.5">{CARICATURE_STYLE_NAMES[style]}</span>
        </label>
      ))}
    </div>
  );
}
