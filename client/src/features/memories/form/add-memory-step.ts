/** In 'created' the uploader still shows that it is complete, and closes itself. */
export type AddMemoryStep = 'closed' | 'form' | 'photo' | 'created';
