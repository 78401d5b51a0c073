import { useState } from 'react';
import type { Memory } from '#shared/memory';
import { Button } from '../../../ui/button.tsx';
import { DialogTitle } from '../../../ui/dialog.tsx';
import { excerptOf, isStory, nameOf } from '../../../lib/memory-text.ts';

/** How much of a long caption is seen at first: what stands below it stays in sight. */
const BEGINNING = 240;
const LINES_OF_A_SHORT_STORY = 8;

/** A caption in the memory's dialog: its title, or, when it is a story, the story below a hidden title. */
export function MemoryCaption({ memory }: { memory: Memory }) {
  if (!isStory(memory))
    return <DialogTitle className="text-title wrap-anywhere">{nameOf(memory)}</DialogTitle>;
  return (
    <div>
      <DialogTitle className="sr-only">{nameOf(memory)}</DialogTitle>
      <Story text={memory.caption} />
    </div>
  );
}

function Story({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > BEGINNING || text.split('\n').length > LINES_OF_A_SHORT_STORY;
  return (
    <>
      <p dir="auto" className="font-display text-lead wrap-anywhere whitespace-pre-line">
        {isLong && !isWhole ? excerptOf(text, BEGINNING) : text}
      </p>
      {isLong && (
        <Button variant="quiet" className="px-0" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Read more'}
        </Button>
      )}
    </>
  );
}
