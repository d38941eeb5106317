//@hone a: 1
/*@hone b: [1,
