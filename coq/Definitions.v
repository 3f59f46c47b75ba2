(** * Names for functions that a proof defines, and laws about them

    MEMBERS proves what needs more than one element at a time: that a maximum is attained, that a sum over sums is a sum.  Its proof
    defines functions, as whether [x] is in a bag, or what a fold accumulates in the bucket of a key: each is the value of a term, whose
    parameters are [Any 0], [Any 1], ….  Laws are formulas about them that hold for all values of [Any 0], [Any 1], …; instances
    of laws are what a refutation tree may use. *)
From Tallystick Require Export Rules.

Record defined := { function_name : string; takes : list ty; gives : ty; body : term }.

(** [Any 0], [Any 1], … have these values. *)
Definition bound (ts : list ty) (vs : list val) (r : env) : env := fun x t => match x with
  | Any i => match nth_error ts i, nth_error vs i with Some u, Some v => if ty_eqb u t then v else r x t | _, _ => r x t end
  | _ => r x t end.
Lemma bound_typed ts vs r : Forall2 has_type vs ts -> typed r -> typed (bound ts vs r).
Proof.
  intros V R x t. destruct x; cbn [bound]; auto. destruct (nth_error ts i) as [u|] eqn:U; auto. destruct (nth_error vs i) as [v|] eqn:W; auto.
  destruct (ty_eqb u t) eqn:E; auto. apply ty_eqb_eq in E. subst. clear -V U W. revert i U W.
  induction V; intros [|i]; cbn; try discriminate; [congruence|]. eauto.
Qed.

(** Terms whose variables are those of programs, and parameters of these types; [calls] allows applications of functions. *)
Fixpoint scoped (calls : bool) (ts : list ty) (t : term) : bool := match t with
  | Var (Any i) u => match nth_error ts i with Some k => ty_eqb k u | None => false end
  | Var (App _ _ _) _ => false
  | Op o args => (calls || negb (applies o)) && forallb (scoped calls ts) args
  | _ => true
  end.
Lemma scoped_uses calls ts t x u : scoped calls ts t = true -> uses x u t = true ->
  match x with Any i => nth_error ts i = Some u | App _ _ _ => calls = true | _ => True end.
Proof.
  induction t using term_ind'; cbn [scoped uses]; try discriminate.
  - intros C E. apply andb_true_iff in E as [E F]. apply name_eqb_eq in E. subst. apply ty_eqb_eq in F. subst. destruct x0; auto; [|discriminate].
    destruct (nth_error ts i) as [k|]; [|discriminate]. apply ty_eqb_eq in C. now subst.
  - intros CD U. apply andb_true_iff in CD as [C D]. rewrite forallb_forall in D. apply orb_true_iff in U as [A|A].
    + apply andb_true_iff in A as [A B]. destruct x; try discriminate. destruct calls; auto. rewrite A in C. discriminate.
    + apply existsb_exists in A as (y & Y & U). rewrite Forall_forall in H. exact (H y Y (D y Y) U).
Qed.
Lemma scoped_ext calls ts t r r' : scoped calls ts t = true ->
  (forall x u, match x with Any i => nth_error ts i = Some u | App _ _ _ => calls = true | _ => True end -> r x u = r' x u) ->
  forall e a, eval r e a t = eval r' e a t.
Proof. intros C A. apply eval_ext. intros x u U. apply A. exact (scoped_uses _ _ _ _ _ C U). Qed.
Lemma bound_nth ts vs r i u : Forall2 has_type vs ts -> nth_error ts i = Some u -> bound ts vs r (Any i) u = nth i vs nothing.
Proof.
  intros V U. cbn [bound]. rewrite U. assert (E : nth_error vs i = Some (nth i vs nothing)).
  { revert i U; induction V; intros [|i]; cbn; try discriminate; auto. }
  now rewrite E, ty_eqb_refl.
Qed.
(** The values of parameters are all that matters. *)
Lemma bound_same calls ts vs t r r' : scoped calls ts t = true -> Forall2 has_type vs ts ->
  (forall i u, nth_error ts i = Some u -> r' (Any i) u = nth i vs nothing) ->
  (forall x u, match x with Any _ => False | App _ _ _ => calls = true | _ => True end -> r' x u = r x u) ->
  forall e a, eval (bound ts vs r) e a t = eval r' e a t.
Proof.
  intros C V A B. apply (scoped_ext _ _ _ _ _ C). intros x u X. destruct x; try (symmetry; now apply B).
  rewrite (bound_nth ts vs r i u V X). symmetry. auto.
Qed.

(** ** Functions with these values *)
Definition knows (ds : list defined) (r : env) := forall d, In d ds -> forall vs, Forall2 has_type vs (takes d) ->
  r (App (function_name d) (takes d) vs) (gives d) = meaning (bound (takes d) vs r) (body d).
Definition well_defined (d : defined) := is (type (body d)) (gives d) && scoped false (takes d) (body d).
Fixpoint distinct_strings (l : list string) : bool := match l with [] => true | s :: l => negb (existsb (String.eqb s) l) && distinct_strings l end.
Definition definitions_ok (ds : list defined) := forallb well_defined ds && distinct_strings (map function_name ds).
Definition the_defined (ds : list defined) (f : string) (ts : list ty) (t : ty) :=
  find (fun d => String.eqb (function_name d) f && list_eqb ty_eqb (takes d) ts && ty_eqb (gives d) t) ds.
Definition extended (ds : list defined) (r : env) : env := fun x t => match x with
  | App f ts vs => match the_defined ds f ts t with
      | Some d => if all2 has_type_b vs ts then meaning (bound ts vs r) (body d) else default t
      | None => r x t end
  | _ => r x t end.
Lemma typed_list vs ts : all2 has_type_b vs ts = true <-> Forall2 has_type vs ts.
Proof.
  revert ts; induction vs as [|v vs IH]; intros [|t ts]; cbn; split; intros H; try discriminate; auto; try (inversion H; fail).
  - apply andb_true_iff in H as [A B]. constructor; [now apply has_type_b_ok|now apply IH].
  - inversion H; subst. apply andb_true_iff. split; [now apply has_type_b_complete|now apply IH].
Qed.
Lemma extended_typed ds r : definitions_ok ds = true -> typed r -> typed (extended ds r).
Proof.
  unfold definitions_ok. rewrite andb_true_iff, forallb_forall. intros [W _] R x t. destruct x; cbn [extended]; auto.
  destruct (the_defined _ _ _ _) as [d|] eqn:D; auto. apply find_some in D as [J E]. rewrite !andb_true_iff in E. destruct E as [[_ E1] E2].
  apply tys_eqb_eq in E1. apply ty_eqb_eq in E2. subst. specialize (W d J). unfold well_defined in W. apply andb_true_iff in W as [T S]. apply is_eq in T.
  destruct (all2 _ arguments _) eqn:L; [|apply default_typed]. apply typed_list in L.
  exact (preservation _ (bound_typed _ _ _ L R) _ None None nothing nothing _ T I I).
Qed.
Lemma the_defined_self ds d : distinct_strings (map function_name ds) = true -> In d ds -> the_defined ds (function_name d) (takes d) (gives d) = Some d.
Proof.
  unfold the_defined. induction ds as [|e ds IH]; cbn [map distinct_strings In find]; [tauto|]. rewrite andb_true_iff, negb_true_iff. intros [N D] [->|J].
  - now rewrite String.eqb_refl, (proj2 (tys_eqb_eq _ _) eq_refl), ty_eqb_refl.
  - assert (E : String.eqb (function_name e) (function_name d) = false).
    { destruct (String.eqb (function_name e) (function_name d)) eqn:E; auto. rewrite (proj2 (existsb_exists _ _)) in N; [discriminate|].
      exists (function_name d). split; auto. now apply in_map. }
    rewrite E. cbn. auto.
Qed.
Lemma extended_knows ds r : definitions_ok ds = true -> typed r -> knows ds (extended ds r).
Proof.
  intros OK R d J vs V. pose proof OK as OK'. unfold definitions_ok in OK. apply andb_true_iff in OK as [W D]. cbn [extended].
  rewrite (the_defined_self _ _ D J), (proj2 (typed_list _ _) V). rewrite forallb_forall in W. specialize (W d J).
  unfold well_defined in W. apply andb_true_iff in W as [_ S]. apply (scoped_ext _ _ _ _ _ S). intros x u X. destruct x; auto. discriminate.
Qed.

(** Inputs on which functions have these values and the hypothesis holds; parameters may have any. *)
Record fine (ds : list defined) (G : term) (r : env) : Prop := { fine_typed : typed r; fine_knows : knows ds r; fine_holds : toB (meaning r G) = true }.
Section Laws.
  Variables (ds : list defined) (G : term).
  Hypothesis OK : definitions_ok ds = true.
  Hypothesis SG : scoped false [] G = true.

  Lemma body_ok d : In d ds -> type (body d) = Some (gives d) /\ scoped false (takes d) (body d) = true.
  Proof.
    intros J. unfold definitions_ok in OK. apply andb_true_iff in OK as [W _]. rewrite forallb_forall in W. specialize (W d J).
    apply andb_true_iff in W as [T S]. apply is_eq in T. auto.
  Qed.
  Lemma bound_again ts vs us ws t r : scoped false ts t = true -> Forall2 has_type vs ts ->
    meaning (bound ts vs (bound us ws r)) t = meaning (bound ts vs r) t.
  Proof.
    intros S V. apply (scoped_ext _ _ _ _ _ S). intros x u X. destruct x; try discriminate; auto. now rewrite !(bound_nth ts vs _ _ _ V X).
  Qed.
  Lemma fine_bound r us ws : fine ds G r -> Forall2 has_type ws us -> fine ds G (bound us ws r).
  Proof.
    intros [T K H] W. split; [now apply bound_typed| |].
    - intros d J vs V. destruct (body_ok d J) as [_ S]. rewrite (bound_again _ _ _ _ _ _ S V). exact (K d J vs V).
    - rewrite <- H. f_equal. apply (scoped_ext _ _ _ _ _ SG). intros x u X. destruct x; auto. now destruct i.
  Qed.

  (** *** Applications of defined functions *)
  Definition call (d : defined) (args : list term) : term := Op (Apply (function_name d) (takes d) (gives d)) args.
  Definition put (args : list term) (t : term) : option term := match t with
    | Var (Any i) u => match nth_error args i with Some a => if is (type a) u then Some a else None | None => None end
    | _ => None end.
  Definition typed_as (args : list term) (ts : list ty) := Forall2 (fun a t => type a = Some t) args ts.
  Definition typed_as_b (args : list term) (ts : list ty) := all2 (fun a t => is (type a) t) args ts.
  Lemma typed_as_ok args ts : typed_as_b args ts = true -> typed_as args ts.
  Proof.
    unfold typed_as_b, typed_as. revert ts; induction args as [|a l IH]; intros [|t ts]; cbn; try discriminate; auto. rewrite andb_true_iff, is_eq.
    intros [A B]; auto.
  Qed.
  Lemma values_typed r args ts : typed r -> typed_as args ts -> Forall2 has_type (map (meaning r) args) ts.
  Proof. intros R A. induction A; cbn; constructor; auto. now apply typed_meaning. Qed.
  Lemma put_ok r args ts t k : typed r -> typed_as args ts -> type t = Some k ->
    type (substitute (put args) t) = Some k /\ meaning r (substitute (put args) t) = meaning (bound ts (map (meaning r) args) r) t.
  Proof.
    intros R A T. pose proof (values_typed r args ts R A) as V.
    destruct (substitute_ok (bound ts (map (meaning r) args) r) r (put args) (bound_typed _ _ _ V R) R) with (ce := @None ty) (ca := @None ty) (t := t) (u := k) as [S1 S2]; auto.
    - intros u w. unfold put. destruct u; try discriminate. destruct x; try discriminate. destruct (nth_error args i) as [a|] eqn:N; [|discriminate].
      destruct (is (type a) t0) eqn:E; [|discriminate]. intros [= <-]. apply is_eq in E. exists t0. repeat split; auto. unfold meaning at 2; cbn [run].
      assert (U : nth_error ts i = Some t0).
      { clear -A N E. unfold typed_as in A. revert i N; induction A; intros [|i]; cbn; try discriminate; [congruence|eauto]. }
      rewrite (bound_nth ts _ r i t0 V U). symmetry. apply nth_error_nth. now apply map_nth_error.
    - intros x u U N. destruct x; auto. unfold put in N. cbn [bound]. destruct (nth_error ts i) as [w|] eqn:W; auto.
      destruct (nth_error (map (meaning r) args) i) as [v|] eqn:X; auto. destruct (ty_eqb w u) eqn:E; auto. apply ty_eqb_eq in E. subst w. exfalso.
      destruct N as [N|N]; [|discriminate]. assert (Y : exists a, nth_error args i = Some a /\ type a = Some u).
      { clear -A W. unfold typed_as in A. revert i W; induction A; intros [|i]; cbn; try discriminate; [intros [= ->]; eauto|eauto]. }
      destruct Y as (a & Y1 & Y2). rewrite Y1, Y2 in N. cbn in N. rewrite ty_eqb_refl in N. discriminate.
    - split; auto. exact (S2 nothing nothing I I).
  Qed.
  Lemma call_ok r d args : fine ds G r -> In d ds -> typed_as args (takes d) ->
    type (call d args) = Some (gives d) /\ meaning r (call d args) = meaning r (substitute (put args) (body d)).
  Proof.
    intros [R K _] J A. destruct (body_ok d J) as [T _]. destruct (put_ok r args _ _ _ R A T) as [_ ->]. split.
    - unfold call, type. cbn [typeof]. replace (sequence _) with (Some (takes d)); [now rewrite (proj2 (tys_eqb_eq _ _) eq_refl)|]. symmetry.
      clear -A. unfold typed_as in A. induction A; cbn; auto. unfold type in H. now rewrite H, IHA.
    - unfold call, meaning at 1. cbn [run]. rewrite (K d J); auto. now apply values_typed.
  Qed.

  (** *** Laws, their instances, and what follows from these *)
  Record law := { law_over : list ty; law_says : term }.
  Definition lawful (l : law) := bool_term (law_says l) /\ forall r, fine ds G r -> toB (meaning r (law_says l)) = true.
  Definition use := (nat * list term)%type.
  Definition instance (ls : list law) (u : use) : option term := match nth_error ls (fst u) with
    | Some l => if typed_as_b (snd u) (law_over l) then Some (substitute (put (snd u)) (law_says l)) else None
    | None => None end.
  Lemma instance_ok ls u t r : Forall lawful ls -> instance ls u = Some t -> fine ds G r -> bool_term t /\ toB (meaning r t) = true.
  Proof.
    unfold instance. intros L E F. destruct (nth_error ls (fst u)) as [l|] eqn:N; [|discriminate]. destruct (typed_as_b _ _) eqn:A; [|discriminate].
    inversion E; subst; clear E. apply typed_as_ok in A. apply nth_error_In in N. rewrite Forall_forall in L. destruct (L l N) as [B H].
    destruct (put_ok r _ _ _ _ (fine_typed _ _ _ F) A B) as [P1 P2]. split; auto. rewrite P2. apply H. apply fine_bound; auto.
    apply values_typed; auto. apply F.
  Qed.

  (** Folds that have a name are called by it. *)
  Definition naming (t : term) : option term := match find (fun d => list_eqb ty_eqb (takes d) [] && term_eqb (body d) t) ds with
    | Some d => Some (call d []) | None => None end.
  Lemma naming_ok r : fine ds G r -> replaces r r naming.
  Proof.
    intros F t u. unfold naming. destruct (find _ ds) as [d|] eqn:D; [|discriminate]. intros [= <-]. apply find_some in D as [J E].
    apply andb_true_iff in E as [E1 E2]. apply tys_eqb_eq in E1. apply term_eqb_eq in E2. subst t. destruct (body_ok d J) as [T S].
    assert (A : typed_as [] (takes d)) by (rewrite E1; constructor). destruct (call_ok r d [] F J A) as [C1 C2]. exists (gives d). repeat split; auto.
    rewrite C2. destruct (put_ok r [] _ _ _ (fine_typed _ _ _ F) A T) as [_ ->]. rewrite E1. apply meaning_ext. intros x k _. destruct x; auto. cbn [bound]. now destruct i.
  Qed.
  Definition follows (fuel : nat) (ls : list law) (hyps : list term) (goal : term) (evidence : list use * tree) : bool :=
    match sequence (map (instance ls) (fst evidence)) with
    | Some is_ => let known := G :: hyps ++ is_ in forallb (fun t => is (type t) TBool) (goal :: known) &&
        refutes fuel (substitute naming (implies (conj known) goal)) (snd evidence)
    | None => false end.
  Theorem follows_ok fuel ls hyps goal evidence : follows fuel ls hyps goal evidence = true -> Forall lawful ls ->
    bool_term goal /\ forall r, fine ds G r -> (forall h, In h hyps -> toB (meaning r h) = true) -> toB (meaning r goal) = true.
  Proof.
    unfold follows. destruct (sequence _) as [is_|] eqn:S; [|discriminate]. cbv zeta. set (known := G :: hyps ++ is_). intros C L.
    apply andb_true_iff in C as [T C]. cbn [forallb] in T. apply andb_true_iff in T as [T1 T2]. apply is_eq in T1. split; auto. intros r F H.
    apply refutes_ok in C as [_ C]. specialize (C r (fine_typed _ _ _ F)).
    assert (B : Forall bool_term known).
    { apply Forall_forall. intros t I. rewrite forallb_forall in T2. now apply is_eq, T2. }
    destruct (conj_list_ok r known (fine_typed _ _ _ F) B) as [K1 K2]. destruct (implies_ok r _ goal (fine_typed _ _ _ F) K1 T1) as [I1 I2].
    destruct (substitute_ok r r naming (fine_typed _ _ _ F) (fine_typed _ _ _ F) (naming_ok r F)) with (t := implies (conj known) goal) (ce := @None ty) (ca := @None ty) (u := TBool) as [_ E]; auto.
    specialize (E nothing nothing I I). unfold meaning in C. rewrite E in C. fold (meaning r (implies (conj known) goal)) in C. rewrite I2, K2 in C.
    destruct (toB (meaning r goal)); auto. rewrite implb_false_r in C. apply negb_true_iff in C. exfalso. apply not_true_iff_false in C. apply C.
    apply forallb_forall. intros v V. apply in_map_iff in V as (t & <- & I). destruct I as [<-|I]; [apply F|]. apply in_app_iff in I as [I|I]; [auto|].
    apply sequence_all in S. clear -S I L F OK SG. induction S; [destruct I|]. destruct I as [->|I]; auto. exact (proj2 (instance_ok _ _ _ _ L H F)).
  Qed.
End Laws.
