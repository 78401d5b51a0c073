import { useId, useState } from 'react';

export interface Problem {
  /** What happened, and what to do now. */
  words: string;
  /** Where it happened, for whoever wants to know. */
  details: string;
}

/** Stands below the dashboard; there also while all is well, so that a screen reader hears what comes into it. */
export function UploadProblem({ problem }: { problem: Problem | null }) {
  const id = useId();
  const [shown, setShown] = useState<Problem | null>(null);
  const isOpen = problem !== null && shown === problem;
  return (
    <div className="min-h-12 pt-2 text-small sm:min-h-7">
      <p role="alert" className="inline text-danger">
        {problem?.words}
      </p>{' '}
      {problem && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setShown(isOpen ? null : problem)}
          // As tall as a thumb wants it, without pushing the lines apart.
          className="-my-3 inline-block py-3 font-semibold underline decoration-hairline decoration-2 underline-offset-4 hover:decoration-accent"
        >
          {isOpen ? 'Hide error details' : 'Show error details'}
        </button>
      )}
      <p id={id} role="status" className="text-muted">
        {isOpen && problem.details}
      </p>
    </div>
  );
}
