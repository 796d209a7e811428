import { newDependency } from './architecture/new-dependency.ts';
import { removedExport } from './architecture/removed-export.ts';
import { unregisteredDependency } from './architecture/unregistered-dependency.ts';
import { debuggerStatement } from './conventions/debugger-statement.ts';
import { leftoverFile } from './conventions/leftover-file.ts';
import { missingChangeset } from './conventions/missing-changeset.ts';
import { asyncForEach } from './correctness/async-for-each.ts';
import { asyncPromiseExecutor } from './correctness/async-promise-executor.ts';
import { conflictMarkers } from './correctness/conflict-markers.ts';
import { freshObjectComparison } from './correctness/fresh-object-comparison.ts';
import { literalAssignmentInCondition } from './correctness/literal-assignment-in-condition.ts';
import { nanComparison } from './correctness/nan-comparison.ts';
import { typeofComparison } from './correctness/typeof-comparison.ts';
import { blockingCallInHandler } from './perf/blocking-call-in-handler.ts';
import { sequentialReads } from './perf/sequential-reads.ts';
import type { Rule } from './rule.ts';
import { committedSecret } from './security/committed-secret.ts';
import { dynamicCode } from './security/dynamic-code.ts';
import { lockSource } from './security/lock-source.ts';
import { shellCommand } from './security/shell-command.ts';
import { sqlTemplate } from './security/sql-template.ts';
import { tlsVerificationOff } from './security/tls-verification-off.ts';
import { focusedTest } from './tests/focused-test.ts';
import { skippedTest } from './tests/skipped-test.ts';
import { untestedChange } from './tests/untested-change.ts';

/** All rules. A new one is a file of its own, with hits and near misses in its test, and a line here. */
export const RULES: readonly Rule[] = [
  asyncForEach,
  asyncPromiseExecutor,
  conflictMarkers,
  freshObjectComparison,
  literalAssignmentInCondition,
  nanComparison,
  typeofComparison,
  debuggerStatement,
  leftoverFile,
  missingChangeset,
  committedSecret,
  dynamicCode,
  lockSource,
  shellCommand,
  sqlTemplate,
  tlsVerificationOff,
  blockingCallInHandler,
  sequentialReads,
  focusedTest,
  skippedTest,
  untestedChange,
  newDependency,
  removedExport,
  unregisteredDependency,
];
