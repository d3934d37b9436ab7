import { z } from 'zod';

/** A package that is part of the application. `text` is the place of its licence in the list of texts. */
export const Part = z.object({
  name: z.string(),
  version: z.string(),
  licence: z.string(),
  text: z.int().optional(),
});
export type Part = z.infer<typeof Part>;

/** The parts of the application, and each text of a licence once. The build writes it. */
export const Licences = z.object({ parts: z.array(Part), texts: z.array(z.string()) });
export type Licences = z.infer<typeof Licences>;

/** What the application runs on. */
export const About = z.object({
  /** The operating system with its version and processor, as it names them itself. */
  system: z.string(),
  chromium: z.string(),
  node: z.string(),
});
export type About = z.infer<typeof About>;
