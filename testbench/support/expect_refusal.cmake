# Runs COMMAND, which must fail and print OUTPUT (a regular expression).
execute_process(
  COMMAND ${COMMAND}
  RESULT_VARIABLE result
  OUTPUT_VARIABLE printed
  ERROR_VARIABLE printed)
if(result EQUAL 0 OR NOT printed MATCHES "${OUTPUT}")
  message(FATAL_ERROR "expected a failure that says '${OUTPUT}'; exit code ${result}, output:\n${printed}")
endif()
