import { inject } from 'vitest';

// Two windows on one display take the focus from each other, so each worker has a display of its own.
const display = inject('displays')[Number(process.env['VITEST_POOL_ID']) - 1];
if (display !== undefined) process.env['DISPLAY'] = display;
