import { z } from 'zod';

/** The ids of calls of the report. */
export const CallIds = z.array(z.string().max(100)).max(2000);

/** A rule with the calls that it rests on. Without any it was not measured, and the value is the service's own choice. */
export const measuredRule = <T extends z.ZodType>(value: T) => z.strictObject({ value, calls: CallIds });
