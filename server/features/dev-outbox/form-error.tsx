/** What is wrong with a field, below it; nothing when nothing is. */
export function FormProblem({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <p id={id} className="problem" role="alert">
      {text}
    </p>
  );
}
