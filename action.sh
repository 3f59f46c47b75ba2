#!/usr/bin/env bash
# What action.yml runs: compares a change with the branch that it is for, appends the answer to the summary of the job,
# and comments on the pull request. Inputs are variables, so that nothing in them is run by a shell.
set -euo pipefail

answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
arguments=("$TALLYSTICK_PATH" --base "$TALLYSTICK_BASE" --summary "$answer")
[[ -z "${TALLYSTICK_SCHEMA:-}" ]] || arguments+=(--schema "$TALLYSTICK_SCHEMA")
[[ -z "${TALLYSTICK_DIALECT:-}" ]] || arguments+=(--dialect "$TALLYSTICK_DIALECT")
[[ -z "${TALLYSTICK_PREPARE:-}" ]] || arguments+=(--prepare "$TALLYSTICK_PREPARE")
[[ -z "${TALLYSTICK_HISTORY:-}" ]] || arguments+=(--history "$TALLYSTICK_HISTORY")

status=0
tallystick changes "${arguments[@]}" || status=$?

if [[ -n "${GITHUB_STEP_SUMMARY:-}" ]]; then
  cat "$answer" >> "$GITHUB_STEP_SUMMARY"
fi
if [[ -s "$answer" && "${TALLYSTICK_COMMENT:-}" == true && -n "${TALLYSTICK_PULL_REQUEST:-}" ]]; then
  gh pr comment "$TALLYSTICK_PULL_REQUEST" --body-file "$answer" --edit-last --create-if-none ||
    echo "note: the pull request has no comment, which needs the permission pull-requests: write"
fi

case "$status:${TALLYSTICK_FAIL_ON:-changed}" in
  1:nothing | 2:nothing | 2:changed) exit 0 ;;
  *) exit "$status" ;;
esac
