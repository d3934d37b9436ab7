import { z } from 'zod';
import { AcceptedFault } from './accepted-faults.ts';
import { RecordedCall } from './calls.ts';
import { ReportComparison } from './contract-report.ts';
import { ContractRuns, OpenedReport, WantedRun } from './contract-runs.ts';
import { RunHistory } from './kept-runs.ts';
import { method } from './method.ts';
import { CaseId } from './report-cases.ts';
import { reportForms } from './report-forms.ts';
import { RunOptions, RunPlan } from './report-run.ts';

const id = z.string().max(100);

const ofServer = z.object({ serverId: id });
/** It names the report of a run of this server, which is the last one without a number. */
const ofReport = ofServer.extend({ number: z.int().min(0).optional() });
const ofKeptRun = ofReport.required();
/** It names something that may be accepted, such as `finding:plain-http`. */
const ofFault = ofReport.extend({ fault: id });

/** What the window can ask of main about contract runs. */
export const contractRunMethods = {
  state: method(z.void(), ContractRuns),
  /** Answers the most that a run with these options sends. */
  plan: method(RunOptions, RunPlan),
  /** Answers once the run is under way. For production it is refused before anything is sent. */
  start: method(WantedRun, ContractRuns),
  /** Ends the run. Its report says so. */
  cancel: method(z.void(), ContractRuns),
  /** Measures one case of a server's last run once more. */
  again: method(ofServer.extend({ caseId: CaseId }), ContractRuns),
  /** Answers one call of a report, without its secrets. */
  evidence: method(ofReport.extend({ id: id }), RecordedCall),
  /** Puts the command that repeats a call into the clipboard, with variables where its secrets were. */
  copy: method(ofReport.extend({ id: id }), z.object({ copied: z.boolean() })),
  /** Asks for the file with the system's own dialog. `exported` is false when none was chosen. */
  exportFile: method(ofReport.extend({ form: z.enum(reportForms) }), z.object({ exported: z.boolean() })),
  /** Compares the report with that of another server or run, by meaning. */
  compare: method(ofReport.extend({ otherId: id, otherNumber: ofReport.shape.number }), ReportComparison),
  /** Compares the last run of a server with what the runs before it have taught. */
  changes: method(ofServer, ReportComparison),
  /** Compares the report with one in a file, which it asks for. Nothing is compared when none was chosen. */
  compareFile: method(ofReport, z.object({ comparison: ReportComparison.optional() })),
  /** Writes the last comparison as Markdown into a file, which it asks for. `exported` is false when none was chosen. */
  exportComparison: method(z.void(), z.object({ exported: z.boolean() })),
  /** Answers the report of an earlier run. */
  open: method(ofKeptRun, OpenedReport),
  /** Keeps the report of a run whatever comes after it, or lets it go with the others of its age. */
  pin: method(ofKeptRun.extend({ pinned: z.boolean() }), ContractRuns),
  /** Deletes the report of a run. The history keeps what the run changed. */
  deleteReport: method(ofReport, ContractRuns),
  /** Answers what the runs of a server have taught over time. */
  history: method(ofServer, RunHistory),
  /** Accepts a broken rule or a finding of a report, instead of what was accepted of it before. */
  accept: method(ofFault.extend({ reason: AcceptedFault.shape.reason }), ContractRuns),
  /** Lets it count again. */
  withdraw: method(ofFault.omit({ number: true }), ContractRuns),
};
