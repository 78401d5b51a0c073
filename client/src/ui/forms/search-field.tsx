import { Search, X } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useRef, useState, type SubmitEvent } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { IconButton } from '../buttons/icon-button.tsx';
import { fieldClasses } from './field.tsx';

const DEBOUNCE_MS = 250;

interface SearchFieldProps {
  label: string;
  maxLength: number;
  q: string;
  onSearch: (q: string) => void;
  className?: string;
}

/** Searches while the user types. */
export function SearchField({ label, maxLength, q, onSearch, className }: SearchFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useSearchText(q);
  const search = useEffectEvent((text: string) => text.trim() !== q && onSearch(text.trim()));

  useEffect(() => {
    const timer = setTimeout(() => search(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);

  const searchNow = (event: SubmitEvent) => {
    event.preventDefault();
    if (text.trim() !== q) onSearch(text.trim());
    // Hides the on-screen keyboard, which covers the results.
    if (window.matchMedia('(pointer: coarse)').matches) input.current?.blur();
  };
  const clear = () => {
    setText('');
    if (q) onSearch('');
    input.current?.focus();
  };

  return (
    <form role="search" onSubmit={searchNow} className={classNames('relative', className)}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search className="pointer-events-none absolute top-3 left-4 text-muted" />
      <input
        ref={input}
        id={id}
        type="search"
        dir="auto"
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder={`${label}...`}
        maxLength={maxLength}
        enterKeyHint="search"
        autoCapitalize="none"
        autoComplete="off"
        className={fieldClasses({ kind: 'search' })}
      />
      {text && (
        <IconButton
          name="Clear search"
          onClick={clear}
          className="absolute top-0 right-0 rounded-field hover:bg-transparent"
        >
          <X />
        </IconButton>
      )}
    </form>
  );
}

/** The typed text, until the search changes elsewhere, as by going back. */
function useSearchText(q: string) {
  const [text, setText] = useState(q);
  const [lastQ, setLastQ] = useState(q);
  if (q !== lastQ) {
    setLastQ(q);
    if (q !== text.trim()) setText(q);
  }
  return [text, setText] as const;
}
