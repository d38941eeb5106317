  /*@hone name: x */ int y;
	//@hone	b: *c
/*@hone
    d: |
      text
*/
