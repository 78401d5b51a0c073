import { Search, X } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useRef, useState, type SubmitEvent } from 'react';
import { MAX_SEARCH_LENGTH } from '#shared/memory';
import { fieldClasses } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';

const DEBOUNCE_MS = 250;

interface MemorySearchProps {
  q: string;
  onSearch: (q: string) => void;
}

export function MemorySearch({ q, onSearch }: MemorySearchProps) {
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
    <form role="search" onSubmit={searchNow} className="relative min-w-0 flex-1">
      <label htmlFor={id} className="sr-only">
        Search mems
      </label>
      <Search className="pointer-events-none absolute top-3 left-4 text-muted" />
      <input
        ref={input}
        id={id}
        type="search"
        dir="auto"
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder="Search mems..."
        maxLength={MAX_SEARCH_LENGTH}
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
